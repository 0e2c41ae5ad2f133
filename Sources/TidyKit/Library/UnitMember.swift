extension UnitConfirmation.Member {
    /// What the content says about what it belongs to.
    mutating func take(_ content: IndexedContent) {
        isMedia = content != .noMedia
        format = content.format
        guard case .metadata(let metadata) = content else { return }
        contentIdentifier = metadata.contentIdentifier
        duration = metadata.duration
        taken = metadata.captureDate
        make = metadata.make
        hasModel = metadata.model != nil
    }
}
