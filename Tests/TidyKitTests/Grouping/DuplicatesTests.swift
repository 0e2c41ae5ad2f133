import Testing

@testable import TidyKit

@Suite struct DuplicatesTests {
    /// What the file managers of Windows, macOS and GNOME write in the languages of their users.
    @Test(arguments: [
        "a copy.jpg", "a copy 2.jpg", "a - Copy.jpg", "a - Copy (2).jpg", "a (1).jpg", "a(1).jpg", "Copy of a.jpg",
        "Copy (2) of a.jpg", "a - Kopie.jpg", "a Kopie 2.jpg", "a (Kopie).jpg", "a (copy 1).jpg", "Kopie von a.jpg",
        "Kopie (2) von a.jpg", "Copie de a.jpg", "a - Copie.jpg", "a copie.jpg", "Copia de a.jpg", "Copia di a.jpg",
        "a - copia.jpg", "a (copia).jpg", "C\u{F3}pia de a.jpg", "a - Co\u{301}pia.jpg", "a - Kopia.jpg",
        "Kopie van a.jpg", "Kopia av a.jpg", "Kopi av a.jpg", "a - Kopi.jpg", "a \u{2014} копия.jpg", "a - копия.jpg",
        "a - コピー.jpg",
        "aのコピー.jpg", "a - 副本.jpg", "a 副本 2.jpg", "a - 복사본.jpg",
    ])
    func copiesAreKnownByTheirNames(_ name: String) { #expect(Duplicates.isNamedCopy(FilePath(name))) }

    @Test(arguments: [
        "a.jpg", "copy.jpg", "Kopie.jpg", "photocopy.jpg", "copybara.jpg", "Copia.jpg", "Kopi Luwak.jpg", "(1).jpg",
        "a (b).jpg", "a 2.jpg", "Copy shop.jpg", "Copie of a.jpg", "Kopie von .jpg", "a (1) b.jpg", "телекопия.jpg",
        "a (photocopy).jpg",
    ])
    func othersAreNone(_ name: String) { #expect(!Duplicates.isNamedCopy(FilePath(name))) }
}
