internal import Glibc
internal import Support
internal import TidyKit

/// `sample-library DIR`: draws a small photo library into a new folder, for somebody who has no photos at hand.
@main
enum SampleLibrary {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard let name = arguments.first, arguments.count == 1, !name.hasPrefix("-"), !name.isEmpty else {
            complain("usage: Scripts/sample-library DIR    (DIR must not exist yet)")
            exit(64)
        }
        let folder = FilePath(name)
        do {
            try FileSystem.createFolders(folder.directory)
            try FileSystem.createFolder(folder)
            for (path, content, modified) in photos() {
                let path = folder.appending(path)
                try FileSystem.createFolders(path.directory)
                try AtomicFile.write(content, to: path, replacing: false)
                try FileSystem.setModified(path, ns: modified * 1_000_000_000)
            }
        } catch {
            complain("sample-library: \(error.path?.displayText ?? name): \(error.reason)")
            if error.isOccupied { complain("Give the name of a folder that does not exist yet.") }
            exit(5)
        }
        print("\(name): a library to try things on")
    }

    private static func complain(_ text: String) {
        let line = Array((text + "\n").utf8)
        _ = write(2, line, line.count)
    }

    /// Path, content, modification time (UTC, seconds).
    private static func photos() -> [(String, [UInt8], Int64)] {
        func photo(
            _ seed: UInt64, _ size: (Int, Int), grain: Int = 8, orientation: Orientation = .upright,
            _ more: (inout ExifFixture) -> Void = { _ in }
        ) -> [UInt8] {
            var exif = ExifFixture()
            exif.orientation(UInt16(orientation.rawValue))
            more(&exif)
            let picture = DrawnPicture(width: size.0, height: size.1, seed: seed, grain: grain)
            return JPEGFixture(picture: picture.stored(for: orientation).jpeg(quality: 95)).with(exif).bytes
        }
        let phone = (make: "Apple", model: "iPhone 12")
        let camera = (make: "NIKON CORPORATION", model: "NIKON D5000")
        let lake = photo(1, (4032, 3024), grain: 14) {
            $0.camera(make: phone.make, model: phone.model)
            $0.taken("2024:05:01 12:00:00", offset: "+02:00", subseconds: "250")
            $0.location(latitude: 48.137154, longitude: 11.576124)
        }
        let upright = photo(2, (1200, 1600), orientation: .rotatedRight) {
            $0.camera(make: phone.make, model: phone.model)
            $0.taken("2024:05:01 12:03:10", offset: "+02:00")
        }
        let live = photo(3, (1600, 1200)) {
            $0.camera(make: phone.make, model: phone.model)
            $0.taken("2024:05:02 09:30:00", offset: "+02:00")
        }
        let hills = photo(4, (2400, 1600), grain: 20) {
            $0.camera(make: camera.make, model: camera.model)
            $0.taken("2019:08:17 18:45:31")
            $0.set(.image, 0x4746, .short([5]))
        }
        let old = photo(5, (1280, 960)) {
            $0.camera(make: "OLYMPUS", model: "C4040Z")
            $0.taken("2003:12:24 17:05:00")
        }
        let plain = JPEGFixture(width: 1200, height: 900, seed: 6, grain: 6).bytes
        let sidecar = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="2"/></rdf:RDF></x:xmpmeta>

            """
        let mov = QuickTimeFixture(unix: 1_714_635_000, seconds: 2.5).bytes
        return [
            ("2024/IMG_0001.JPG", lake, 1_714_557_601), ("2024/IMG_0002.JPG", upright, 1_714_557_790),
            ("2024/IMG_0003.JPG", live, 1_714_635_001), ("2024/IMG_0003.MOV", mov, 1_714_635_001),
            ("2024/IMG-20240503-WA0007.jpg", plain, 1_714_900_000), ("2019/DSC_0042.JPG", hills, 1_566_060_331),
            ("2019/DSC_0042 copy.JPG", hills, 1_600_000_000), ("old/P1010001.jpg", old, 1_072_285_500),
            ("old/P1010001.xmp", Array(sidecar.utf8), 1_700_000_000), ("old/scan.jpg", plain + [0], 1_000_000_000),
        ]
    }
}
