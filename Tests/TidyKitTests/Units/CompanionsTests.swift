import Testing
import TidyKit

@Suite struct CompanionsTests {
    /// The groups as `files | sidecars`, a sidecar with the file that it names.
    private func groups(_ names: [String]) -> [String] {
        let companions = Companions(names.map { Array($0.utf8) })
        let groups = companions.groups.map { group in
            let sidecars = group.sidecars.map {
                ($0.isOfOriginal ? "~" : "") + names[$0.index] + ($0.target.map { "→" + names[$0] } ?? "")
            }.sorted()
            return group.files.map { names[$0] }.joined(separator: " ")
                + (sidecars.isEmpty ? "" : " | " + sidecars.joined(separator: " "))
        }
        return groups + companions.orphans.map { "orphan " + names[$0] }.sorted()
    }

    @Test(arguments: [
        (["IMG_1.HEIC", "IMG_1.MOV", "IMG_1.AAE"], ["IMG_1.HEIC IMG_1.MOV | IMG_1.AAE"]),
        (["IMG_1.jpg", "IMG_10.jpg"], ["IMG_1.jpg", "IMG_10.jpg"]),
        (["img_1.jpg", "IMG_1.mov"], ["IMG_1.mov", "img_1.jpg"]),
        (["a.jpg", "a-1.jpg", "a.png"], ["a.jpg a.png", "a-1.jpg"]),
        // Lightroom and darktable name sidecars in two ways.
        (["a.cr2", "a.xmp"], ["a.cr2 | a.xmp"]),
        (["a.CR2", "a.cr2.xmp"], ["a.CR2 | a.cr2.xmp→a.CR2"]),
        (["a.jpg", "a.cr2", "a.cr2.xmp"], ["a.cr2 a.jpg | a.cr2.xmp→a.cr2"]),
        (["a.JPG", "a.jpg", "a.jpg.xmp"], ["a.JPG a.jpg | a.jpg.xmp→a.jpg"]),
        // Apple: the adjustments of IMG_1234 belong to the original while that is there.
        (["IMG_1234.HEIC", "IMG_E1234.JPG", "IMG_1234.AAE"], ["IMG_1234.HEIC | IMG_1234.AAE", "IMG_E1234.JPG"]),
        (["IMG_E1234.JPG", "IMG_1234.AAE"], ["IMG_E1234.JPG | IMG_1234.AAE"]),
        (["IMG_1234.HEIC", "IMG_O1234.AAE"], ["IMG_1234.HEIC | IMG_O1234.AAE"]),
        // Google Takeout, old and new, cut short, numbered.
        (["a.jpg", "a.jpg.json"], ["a.jpg | a.jpg.json→a.jpg"]),
        (["a.jpg", "a.json"], ["a.jpg | a.json"]),
        (["a.jpg", "a.jpg.supplemental-metadata.json"], ["a.jpg | a.jpg.supplemental-metadata.json→a.jpg"]),
        (["a.jpg", "a.jpg.supplemental-me.json"], ["a.jpg | a.jpg.supplemental-me.json→a.jpg"]),
        (["a.jpg", "a.jpg.s.json"], ["a.jpg | a.jpg.s.json→a.jpg"]),
        (
            ["a(1).jpg", "a.jpg", "a.jpg(1).json", "a.jpg.json"],
            ["a.jpg | a.jpg.json→a.jpg", "a(1).jpg | a.jpg(1).json→a(1).jpg"]
        ),
        (
            ["a(2).jpg", "a.jpg", "a.jpg.supplemental-metadata(2).json"],
            ["a.jpg", "a(2).jpg | a.jpg.supplemental-metadata(2).json→a(2).jpg"]
        ),
        (
            [
                "original_1d4caa6f-16c6-4c3d-901b-9387de10e528_P.jpg",
                "original_1d4caa6f-16c6-4c3d-901b-9387de10e528_.json",
            ],
            [
                "original_1d4caa6f-16c6-4c3d-901b-9387de10e528_P.jpg | original_1d4caa6f-16c6-4c3d-901b-9387de10e528_.json→original_1d4caa6f-16c6-4c3d-901b-9387de10e528_P.jpg"
            ]
        ),
        // Cut at 46 characters within the extension, the number behind the cut.
        (
            [
                "123456789012345678901234567890123456_DSCN0098.JPG",
                "123456789012345678901234567890123456_DSCN0098(1).JPG",
                "123456789012345678901234567890123456_DSCN0098..json",
                "123456789012345678901234567890123456_DSCN0098.(1).json",
            ],
            [
                "123456789012345678901234567890123456_DSCN0098.JPG | 123456789012345678901234567890123456_DSCN0098..json→123456789012345678901234567890123456_DSCN0098.JPG",
                "123456789012345678901234567890123456_DSCN0098(1).JPG | 123456789012345678901234567890123456_DSCN0098.(1).json→123456789012345678901234567890123456_DSCN0098(1).JPG",
            ]
        ),
        // What belongs to nothing.
        (
            ["b.jpg", "a.xmp", "a.AAE", "a.jpg.json", "package.json"],
            ["b.jpg", "orphan a.AAE", "orphan a.jpg.json", "orphan a.xmp", "orphan package.json"]
        ),
        // Something of the photo is left.
        (["a.jpg", "a.cr2.xmp", "a.heic.json"], ["a.jpg"]),
        // darktable's further versions, and a photo that has such a name.
        (
            ["IMG_1.jpg", "IMG_1.jpg.xmp", "IMG_1_01.jpg.xmp"],
            ["IMG_1.jpg | IMG_1.jpg.xmp→IMG_1.jpg IMG_1_01.jpg.xmp→IMG_1.jpg"]
        ),
        (
            ["IMG_1.jpg", "IMG_1_01.jpg", "IMG_1_01.jpg.xmp"],
            ["IMG_1.jpg", "IMG_1_01.jpg | IMG_1_01.jpg.xmp→IMG_1_01.jpg"]
        ),
        (["IMG_1.jpg", "IMG_1_01.png.xmp"], ["IMG_1.jpg"]),
        (
            ["IMG_1234.JPG", "IMG_1234_O.AAE", "IMG_O1234.AAE", "IMG_E1234.AAE"],
            ["IMG_1234.JPG | IMG_1234_O.AAE IMG_E1234.AAE IMG_O1234.AAE"]
        ),
        (
            ["a.raf", "a.raf.pp3", "a.on1", "a.RAF.dop", "b.cos", "b.arp"],
            ["a.raf | a.RAF.dop→a.raf a.on1 a.raf.pp3→a.raf", "orphan b.arp", "orphan b.cos"]
        ),
        (
            ["DSC_0001.NEF", "DSC_0001.WAV", "memo.jpg", "memo.wav", "DJI_0001.MP4", "DJI_0001.SRT"],
            ["DJI_0001.MP4 | DJI_0001.SRT", "DSC_0001.NEF | DSC_0001.WAV", "memo.jpg"]
        ),
        // Pixel and GoPro write two stems for one shot.
        (["P.MP", "P.MP.jpg", "P.MP.jpg.json"], ["P.MP P.MP.jpg | P.MP.jpg.json→P.MP.jpg"]),
        (["P.MP", "P.jpg"], ["P.MP P.jpg"]),
        (
            ["P.RAW-01.COVER.jpg", "P.RAW-02.ORIGINAL.dng", "P.RAW-02.ORIGINAL.dng.xmp", "P.jpg"],
            [
                "P.jpg",
                "P.RAW-01.COVER.jpg P.RAW-02.ORIGINAL.dng | P.RAW-02.ORIGINAL.dng.xmp→P.RAW-02.ORIGINAL.dng",
            ]
        ),
        (["GH010001.MP4", "GL010001.LRV", "GH010001.THM"], ["GH010001.MP4 GH010001.THM GL010001.LRV"]),
        (["GH010001.MP4", "GL010001.LRV", "GL010001.xmp"], ["GH010001.MP4 GL010001.LRV | GL010001.xmp"]),
        (["GH010001.MP4", "GX010001.MP4", "GL010001.LRV"], ["GH010001.MP4", "GL010001.LRV", "GX010001.MP4"]),
        // Takeout: the JSON stays with the original, and the edited copy reads it.
        (
            ["a.jpg", "a-edited.jpg", "a.jpg.json"],
            ["a.jpg | a.jpg.json→a.jpg", "a-edited.jpg | ~a.jpg.json"]
        ),
        (
            ["a(1).jpg", "a-bearbeitet(1).jpg", "a.jpg.supplemental-metadata(1).json"],
            [
                "a(1).jpg | a.jpg.supplemental-metadata(1).json→a(1).jpg",
                "a-bearbeitet(1).jpg | ~a.jpg.supplemental-metadata(1).json",
            ]
        ),
        (["a-edited.jpg", "a.jpg.json"], ["a-edited.jpg | a.jpg.json"]),
        // A placeholder is nobody's companion: it is never deleted.
        (["a.jpg", ".a.AAE.icloud"], ["a.jpg"]),
        ([".xmp", ".json"], [".json", ".xmp"]),
        ([".IMG_9.HEIC.icloud", "IMG_9.AAE"], [".IMG_9.HEIC.icloud | IMG_9.AAE"]),
        (["noextension", "noextension.json"], ["noextension | noextension.json"]),
    ])
    func groupsByStem(names: [String], expected: [String]) {
        #expect(groups(names) == expected)
        #expect(groups(names.reversed()) == expected)
    }

    @Test func stemsAreBytes() {
        #expect(groups(["caf\u{E9}.jpg", "cafe\u{301}.mov"]).count == 2)
        let names: [[UInt8]] = [[0xFF, 0x2E, 0x6A], [0xFE, 0x2E, 0x6D], [0xFF, 0x2E, 0x6D]]
        #expect(Companions(names).groups.map(\.files) == [[1], [0, 2]])
    }
}
