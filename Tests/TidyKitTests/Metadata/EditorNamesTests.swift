import Testing

@testable import TidyKit

/// Which photos are the camera's own.
@Suite struct EditorNamesTests {
    @Test(arguments: [
        "Adobe Photoshop CS5 Windows", "GIMP 2.10.36", "darktable 4.2.1", "Picasa", "QuickTime 7.6.6", "Photos 8.0",
        "Adobe Photoshop Lightroom Classic 12.3 (Macintosh)", "ACD Systems Digital Imaging", "OLYMPUS Viewer 3.0",
        "Capture One 23 Windows", "Microsoft Windows Photo Viewer 6.1.7600.16385", "Paint.NET v3.36", "Instagram",
        "iPhoto 9.5.1", "Snapseed 2.0", "made with ImageMagick",
    ])
    func programsThatWriteAPhotoAnew(_ text: String) { #expect(isNamed(text)) }

    @Test(arguments: [
        "Ver.1.01", "16.5", "HDR+ 1.0.345618096zd", "G930VVRU4BQA2", "Digital Camera FinePix S5600 Ver1.00", "",
        "MediaTek Camera Application", "V1.4.1", "E-M1 Mark II", "NIKON D750 Ver.1.15", "exiftool 12.57", "Photos",
        "Spainter",
        "Camera Firmware Update", "Google",
    ])
    func firmwareAndTaggersAreNone(_ text: String) { #expect(!isNamed(text)) }

    private func isNamed(_ text: String) -> Bool { Array(text.utf8).withView { EditorNames.isNamed(in: $0) } }

    @Test(arguments: [
        (#"<rdf:Description xmp:CreatorTool="Adobe Photoshop CC"/>"#, true),
        ("<xmp:CreatorTool>GIMP 2.10</xmp:CreatorTool>", true), ("<xmp:CreatorTool>16.5</xmp:CreatorTool>", false),
        (
            #"<rdf:li stEvt:action="saved" stEvt:softwareAgent="16.5"/><rdf:li stEvt:softwareAgent='Affinity Photo'/>"#,
            true
        ),
        (#"<x:xmpmeta x:xmptk="Adobe XMP Core 5.6"/>"#, false), ("CreatorTool", false), ("softwareAgent=\"", false),
    ])
    func packetsNameTheToolsOfTheirHistory(_ packet: String, _ isEdited: Bool) {
        #expect(Array(packet.utf8).withView { EditorNames.isNamed(inPacket: $0) } == isEdited)
    }

    @Test(arguments: [
        "IMG-20200101-WA0001.jpg", "VID-20200101-WA0012.mp4", "img-20200101-wa0001 (1).jpg",
        "WhatsApp Image 2020-01-01 at 10.00.00.jpeg", "signal-2020-01-01-100000.jpeg", "photo_2020-01-01_10-00-00.jpg",
        "FB_IMG_1577872800000.jpg", "received_1234567890.jpeg", "mmexport1577872800000.jpg",
    ])
    func namesOfMessengers(_ name: String) { #expect(MessengerName.matches(Array(name.utf8))) }

    @Test(arguments: [
        "IMG_0001.JPG", "IMG-20200101-0001.jpg", "photo_2020.jpg", "signal.jpg", "WA0001.jpg", "received_.jpg", "",
    ])
    func otherNames(_ name: String) { #expect(!MessengerName.matches(Array(name.utf8))) }
}
