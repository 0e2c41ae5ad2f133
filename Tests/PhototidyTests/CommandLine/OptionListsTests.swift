import Testing
import TidyKit

@testable import phototidy

/// What help, completions and the manual offer is what TidyKit knows.
@Suite struct OptionListsTests {
    @Test func everyFilterIsOffered() {
        #expect(OptionSpec.predicates.map(\.name).sorted() == Predicate.options.sorted())
    }

    @Test func theHelpForSortNamesEveryKey() {
        for key in SortOrder.Key.allCases { #expect(OptionSpec.sort.help.contains(key.rawValue)) }
    }

    @Test func everyFormatIsOffered() throws {
        let type = try #require(OptionSpec.predicates.first { $0.name == "type" })
        guard case .list(let names) = try #require(type.value).kind else {
            Issue.record("--type has no list of values")
            return
        }
        #expect(Set(names) == Set(MediaKind.allCases.map(\.rawValue)).union(MediaFormat.allCases.map(\.rawValue)))
        #expect(Set(names).count == names.count)
    }

    @Test func everyDateSourceIsNamed() throws {
        let help = try #require(OptionSpec.predicates.first { $0.name == "date-source" }).help
        for source in CaptureDate.Source.allCases {
            let kind = source.rawValue.hasPrefix("exif.") ? "exif" : source.rawValue
            #expect(help.contains(kind), "\(source)")
        }
    }
}
