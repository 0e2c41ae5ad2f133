/// A JPEG put together from a drawn picture and the segments that a test wants in it.
package struct JPEGFixture: Sendable {
    package var picture: [UInt8]
    /// Marker (0xE1 for APP1, 0xFE for COM …) and body, written behind SOI in this order.
    package var segments: [(marker: UInt8, body: [UInt8])] = []
    /// Bytes behind EOI, as a motion photo has them.
    package var trailer: [UInt8] = []

    package init(width: Int = 64, height: Int = 48, seed: UInt64 = 1, grain: Int = 6, quality: Int = 90) {
        picture = DrawnPicture(width: width, height: height, seed: seed, grain: grain).jpeg(quality: quality)
    }

    /// From the bytes of a JPEG.
    package init(picture: [UInt8]) { self.picture = picture }

    /// An APP1 segment with the block of `exif`.
    package func with(_ exif: ExifFixture) -> JPEGFixture { with(0xE1, exif.block()) }

    /// An APP1 segment with an XMP packet (XMP specification part 3, section 1.1.3).
    package func with(xmp packet: String) -> JPEGFixture {
        with(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(packet.utf8))
    }

    /// `profile` in as many APP2 segments as it takes (ICC.1, annex B.4).
    package func with(profile: [UInt8]) -> JPEGFixture {
        let chunk = 65_519
        let count = (profile.count + chunk - 1) / chunk
        return (0..<count).reduce(self) { fixture, index in
            let part = profile[(index * chunk)..<min((index + 1) * chunk, profile.count)]
            return fixture.with(0xE2, Array("ICC_PROFILE\0".utf8) + [UInt8(index + 1), UInt8(count)] + part)
        }
    }

    /// The body of an APP13 segment: Photoshop's resources, of which the second is a record of IPTC with these datasets.
    package static func iptc(date: String, time: String? = nil) -> [UInt8] {
        func resource(_ number: UInt8, _ data: [UInt8]) -> [UInt8] {
            Array("8BIM".utf8) + [4, number, 0, 0, 0, 0, 0, UInt8(data.count)] + data
                + (data.count % 2 == 1 ? [0] : [])
        }
        func dataset(_ number: UInt8, _ text: String) -> [UInt8] {
            [0x1C, 2, number, 0, UInt8(text.utf8.count)] + text.utf8
        }
        return Array("Photoshop 3.0\0".utf8) + resource(0x21, [1, 2, 3])
            + resource(4, dataset(5, "title") + dataset(55, date) + (time.map { dataset(60, $0) } ?? []))
    }

    package func with(_ marker: UInt8, _ body: [UInt8]) -> JPEGFixture {
        var copy = self
        copy.segments.append((marker, body))
        return copy
    }

    package var bytes: [UInt8] {
        var bytes: [UInt8] = [0xFF, 0xD8]
        for (marker, body) in segments {
            let length = body.count + 2
            bytes += [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + body
        }
        return bytes + picture.dropFirst(2) + trailer
    }
}
