/// What a camera says of one release of the shutter, by which photos are told that belong together.
package struct ShotTraits: Hashable, Sendable {
    /// Apple's maker note 0x000B, BurstUUID.
    package var burst: String?
    /// EXIF tag 0xA431, BodySerialNumber.
    package var serial: String?
    /// EXIF tag 0x9204, ExposureBiasValue; thousandths of an EV.
    package var exposureBias: Int?
    /// EXIF tag 0xA402, ExposureMode, is 2: auto bracket. Maker notes that say so count too.
    package var isBracketed = false
    /// EXIF tag 0x9206, SubjectDistance; millimetres.
    package var subjectDistance: Int?
    /// The maker note says that the focus was moved from shot to shot.
    package var isFocusBracketed = false
    /// The maker note says that it was taken to be stitched.
    package var isPanoramaPart = false
    /// EXIF tag 0x0131, Software, or the tools that XMP names are those of an editor or a messenger; or Photoshop wrote
    /// image resources of its own.
    package var isEdited = false

    package init() {}
}
