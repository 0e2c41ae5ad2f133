import Support
import Testing
import TidyKit

@Suite struct FileNameDateTests {
    private func date(_ name: String) -> CaptureDate? {
        FileNameDate.parse(ArraySlice(Array(name.utf8)), now: testNow)
    }

    @Test(arguments: [
        ("IMG_20230514_101112.jpg", "2023-05-14T10:11:12"),  // Android cameras
        ("VID_20191027_134014.mov", "2019-10-27T13:40:14"),
        ("MVIMG_20190514_101112.jpg", "2019-05-14T10:11:12"),  // Google motion photos
        ("PXL_20231006_063029647.jpg", "2023-10-06T06:30:29.647Z"),  // Pixel, in UTC
        ("PXL_20231006_063029647.MP.jpg", "2023-10-06T06:30:29.647Z"),
        ("20230514_101112.jpg", "2023-05-14T10:11:12"),  // Samsung
        ("20230514_101112(0).jpg", "2023-05-14T10:11:12"),
        ("IMG20230514101112.jpg", "2023-05-14T10:11:12"),  // Oppo, realme, OnePlus
        ("00001IMG_00001_BURST20190514101112123_COVER.jpg", "2019-05-14T10:11:12.123"),  // Google Camera bursts
        ("Screenshot_2023-05-14-10-11-12.jpg", "2023-05-14T10:11:12"),  // Android before 9
        ("Screenshot_20230514-101112_Chrome.jpg", "2023-05-14T10:11:12"),  // Android, Samsung
        ("Screenshot_2023-05-14-10-11-12-123_com.app.jpg", "2023-05-14T10:11:12"),  // Xiaomi
        ("Screenshot 2023-05-14 at 10.11.12.png", "2023-05-14T10:11:12"),  // macOS
        ("Screenshot 2023-05-14 at 5.11.12\u{202F}PM.png", "2023-05-14T17:11:12"),
        ("Screen Shot 2019-01-02 at 12.04.05 AM.png", "2019-01-02T00:04:05"),
        ("Screenshot from 2023-05-14 10-11-12.png", "2023-05-14T10:11:12"),  // GNOME
        ("signal-2023-05-14-101112.jpg", "2023-05-14T10:11:12"),  // Signal
        ("signal-2023-05-14-10-11-12-123.jpg", "2023-05-14T10:11:12"),
        ("photo_2023-05-14_10-11-12.jpg", "2023-05-14T10:11:12"),  // Telegram
        ("IMG_20230514_101112_123.jpg", "2023-05-14T10:11:12"),
        ("WhatsApp Image 2023-05-14 at 10.11.12.jpeg", "2023-05-14T10:11:12"),  // WhatsApp
        ("WhatsApp Image 2023-05-14 at 5.11.12 PM (1).jpeg", "2023-05-14T17:11:12"),
        ("DJI_20230514101112_0001_D.JPG", "2023-05-14T10:11:12"),  // DJI
        ("WP_20140514_10_11_12_Pro.jpg", "2014-05-14T10:11:12"),  // Windows Phone
        ("2023-05-14 10.11.12.jpg", "2023-05-14T10:11:12"),  // Dropbox
        ("FB_IMG_1684059072123.jpg", "2023-05-14T10:11:12.123Z"),  // Facebook
        ("mmexport1684059072123.jpg", "2023-05-14T10:11:12.123Z"),  // WeChat
        ("Bildschirmfoto 2023-05-14 um 10.11.12.png", "2023-05-14T10:11:12"),  // macOS in other languages
        ("Capture d’écran 2023-05-14 à 10.11.12.png", "2023-05-14T10:11:12"),
        ("Captura de pantalla 2023-05-14 a las 5.11.12 p. m..png", "2023-05-14T17:11:12"),
        ("Captura de Tela 2023-05-14 às 10.11.12.png", "2023-05-14T10:11:12"),
        ("Schermata 2023-05-14 alle 10.11.12.png", "2023-05-14T10:11:12"),
        ("Skärmavbild 2023-05-14 kl. 10.11.12.png", "2023-05-14T10:11:12"),
        ("Снимок экрана 2023-05-14 в 10.11.12.png", "2023-05-14T10:11:12"),
        ("截屏2023-05-14 下午03.11.12.png", "2023-05-14T15:11:12"),
        ("截屏2023-05-14 上午10.11.12.png", "2023-05-14T10:11:12"),
        ("Bildschirmfoto vom 2023-05-14 10-11-12.png", "2023-05-14T10:11:12"),  // GNOME in German
        ("Screenshot 2023-05-14 101112.png", "2023-05-14T10:11:12"),  // Windows 11
        ("WIN_20230514_10_11_12_Pro.jpg", "2023-05-14T10:11:12"),  // the camera of Windows
        ("2023-05-14-101112_1920x1080_scrot.png", "2023-05-14T10:11:12"),  // scrot
        ("20230514_10h11m12s_grim.png", "2023-05-14T10:11:12"),  // grim
        ("WhatsApp-Image-2023-05-14-at-10.11.12.jpg", "2023-05-14T10:11:12"),  // WhatsApp, sent on by mail
        ("PHOTO-2023-05-14-10-11-12.jpg", "2023-05-14T10:11:12"),  // WhatsApp on iPhone
        ("photo_1@14-05-2023_10-11-12.jpg", "2023-05-14T10:11:12"),  // Telegram Desktop
        ("photo_12@01-02-2023_10-11-12_thumb.jpg", "2023-02-01T10:11:12"),
        ("RPReplay_Final1684059072.MP4", "2023-05-14T10:11:12Z"),  // iOS screen recordings
        ("ScreenRecording_05-14-2023 10-11-12_1.MP4", "2023-05-14T10:11:12"),  // iOS 18
        ("Simulator Screenshot - iPhone 15 - 2023-05-14 at 10.11.12.png", "2023-05-14T10:11:12"),  // Xcode
        ("dji_fly_20230514_101112_0001_1684059072123_photo.jpg", "2023-05-14T10:11:12"),  // DJI Fly
        ("LRV_20230514_101112_01_001.mp4", "2023-05-14T10:11:12"),  // Insta360
        ("PXL_20230514_101112123.RAW-02.ORIGINAL.dng", "2023-05-14T10:11:12.123Z"),  // Pixel RAW
        ("P_20230514_101112_vHDR_On.jpg", "2023-05-14T10:11:12"),  // Asus
        ("viber_image_2023-05-14_10-11-12-123.jpg", "2023-05-14T10:11:12"),  // Viber
        ("InShot_20230514_101112123.jpg", "2023-05-14T10:11:12.123"),  // InShot
        ("07-2023-05-14-10-11-12.jpg", "2023-05-14T10:11:12"),
    ])
    func names(name: String, text: String) {
        #expect(date(name)?.text == text)
        #expect(date(name)?.source == .name)
    }

    @Test(arguments: [
        ("IMG-20230514-WA0007.jpg", "2023-05-14T00:00:00"),  // WhatsApp
        ("VID-20230514-WA0001.mp4", "2023-05-14T00:00:00"), ("WP_20140514_001.jpg", "2014-05-14T00:00:00"),
        ("2023-05-14.jpg", "2023-05-14T00:00:00"),
        ("2023-05-14 Berlin 101112.jpg", "2023-05-14T00:00:00"),
        ("2023-05-14 Berlin 10.11.jpg", "2023-05-14T00:00:00"),
        ("Photo on 2023-05-14 at 10.11.jpg", "2023-05-14T00:00:00"),  // Photo Booth
        ("scan 1956-07-04 (2).tif", "1956-07-04T00:00:00"),
        ("2023-05-14-1.jpg", "2023-05-14T00:00:00"), ("07-2023-05-14.jpg", "2023-05-14T00:00:00"),
        ("2023_05_14_0007.jpg", "2023-05-14T00:00:00"), ("07_20230514_2.jpg", "2023-05-14T00:00:00"),
    ])
    func days(name: String, text: String) {
        #expect(date(name)?.text == text)
        #expect(date(name)?.precision == .day)
    }

    @Test(arguments: [
        "IMG_20231399_101112.jpg", "IMG_20230514_256199.jpg", "IMG_20230230_101112.jpg", "holiday.jpg", "IMG_1234.JPG",
        "DSC00012.ARW", "GOPR0001.MP4", "GX010001.MP4", "IMG_E1234.HEIC", "20281231_101112.jpg", "17991231_101112.jpg",
        "123420230514101112.jpg", "a20230514b.jpg", "2023-05_14.jpg", "FB_IMG_123.jpg", "mmexport16840590721234.jpg",
        "IMG_20211301_101112.jpg", "photo_1@14-13-2023_10-11-12.jpg", "photo_1@14-05-2023.jpg", "me@14-05-2023.jpg",
        "ScreenRecording_14-05-2023 10-11-12_1.MP4", "RPReplay_Final16840590721.MP4", "RPReplay_Final.MP4",
        "1684059072123.jpg", "d41d8cd98f00b204e9800998ecf8427e.jpg", "e3b20230514c44298fc1c149.png",
        "550e8400-e29b-41d4-a716-446655440000.jpg", "1920x1080.png", "2048-1536-20.jpg", "99999999_999999.jpg",
        "Snapchat-1234567890.jpg", "Photo on 14-05-2023 at 10.11.jpg", "received_1020304050607080.jpeg", "", "2023",
        "\u{1F600}.jpg",
        // Numbers of books and of telephones.
        "9782012101598.jpg", "9781901101218.jpg", "2012101512.jpg", "190110123X.jpg", "19011012345678901.jpg",
        "201210151234.jpg", "2012101512345.jpg", "978-2-1901-1012-5.jpg", "2-1901-10-12-5.jpg", "+49 1901 10 12 5.jpg",
    ])
    func othersHaveNone(name: String) { #expect(date(name) == nil) }

    @Test func anyBytesAreANameAndNoneIsTooMuch() {
        var random = SeededRandom.byChance()
        for _ in 0..<2000 {
            let name = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                Bool.random(using: &random)
                    ? UInt8.random(in: 0x30...0x39)
                    : [0x2D, 0x5F, 0x20, 0xE2, 0xFF, 0x41].randomElement(using: &random)!
            }
            if let date = FileNameDate.parse(name[...], now: testNow) { #expect(date.source == .name) }
        }
    }
}
