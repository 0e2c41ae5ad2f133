extension SourceMetadata {
    /// What `safe` writes into EXIF, as the places where it stands go.
    var carried: CarriedClaims {
        var carried = CarriedClaims()
        carried.taken = taken
        for tag in [Self.artist, Self.copyright] { carried.texts[tag] = packetTexts[tag] ?? texts[tag] }
        carried.contentIdentifier = contentIdentifier
        if exifOrientation == nil, packetOrientation != .upright { carried.orientation = packetOrientation }
        return carried
    }
}
