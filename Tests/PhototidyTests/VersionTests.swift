import Testing

@Suite struct VersionTests {
    @Test func placeholderUntilTheBinaryIsDriven() { #expect(Bool(true)) }
}
