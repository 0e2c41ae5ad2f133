/// The trashes that a run uses, each opened, and made where it is missing, once.
struct OpenTrashes {
    private var open: [TrashSite: Trash] = [:]

    mutating func trash(_ site: TrashSite) throws(POSIXError) -> Trash {
        if let trash = open[site] { return trash }
        let trash = try Trash(site, creating: true)
        open[site] = trash
        return trash
    }

    func forgetPromises() { for trash in open.values { trash.forgetPromises() } }
}
