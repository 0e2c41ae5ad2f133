internal import Glibc
package import TidyKit

/// Extended attributes of files (`setxattr`, `getxattr`), which the Glibc overlay lacks.
package enum ExtendedAttribute {
    private typealias Setter =
        @convention(c) (
            UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeRawPointer, Int, Int32
        ) -> Int32
    private typealias Getter =
        @convention(c) (
            UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutableRawPointer, Int
        ) -> Int

    private static func function<Function>(_ name: String, as type: Function.Type) -> Function? {
        dlsym(dlopen(nil, RTLD_NOW), name).map { unsafeBitCast($0, to: type) }
    }

    /// False where the filesystem has none.
    package static func set(_ name: String, to value: [UInt8], of path: FilePath) -> Bool {
        guard let setter = function("setxattr", as: Setter.self) else { return false }
        return path.withCString { setter($0, name, value, value.count, 0) == 0 }
    }

    /// Up to 256 bytes; nil if there is no such attribute.
    package static func value(_ name: String, of path: FilePath) -> [UInt8]? {
        var value = [UInt8](repeating: 0, count: 256)
        guard let getter = function("getxattr", as: Getter.self) else { return nil }
        let length = path.withCString { getter($0, name, &value, value.count) }
        return length < 0 ? nil : Array(value[..<length])
    }
}
