// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// A C library that Debian ships: found by pkg-config, named with the package that brings it.
func library(_ name: String, pkgConfig: String? = nil, debian package: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

let package = Package(
    name: "phototidy",
    products: [
        .executable(name: "phototidy", targets: ["phototidy"])
    ],
    targets: [
        library("CExif", pkgConfig: "libexif", debian: "libexif-dev"),
        library("CExpat", pkgConfig: "expat", debian: "libexpat1-dev"),
        library("CZlib", pkgConfig: "zlib", debian: "zlib1g-dev"),
        // SHA-256 with the instructions that processors have for it.
        library("CNettle", pkgConfig: "nettle", debian: "nettle-dev"),
        // How many cells a character takes; it has no file for pkg-config.
        library("CUnistring", debian: "libunistring-dev"),
        library("CTurboJPEG", pkgConfig: "libturbojpeg", debian: "libturbojpeg0-dev"),
        library("CLibJPEG", pkgConfig: "libjpeg", debian: "libjpeg62-turbo-dev"),
        library("CZimg", pkgConfig: "zimg", debian: "libzimg-dev"),
        library("CSPNG", pkgConfig: "spng", debian: "libspng-dev"),
        library("CWebP", pkgConfig: "libwebpdemux", debian: "libwebp-dev"),
        library("CLCMS", pkgConfig: "lcms2", debian: "liblcms2-dev"),
        library("CSQLite", pkgConfig: "sqlite3", debian: "libsqlite3-dev"),
        .target(name: "CPlatform"),
        .target(
            name: "CJPEG", dependencies: ["CLibJPEG"], cSettings: [.unsafeFlags(["-O2"], .when(configuration: .debug))]),
        // Links neither libheif (debian: "libheif-dev")
        // nor libde265 (debian: "libde265-dev"): opens them when they are needed.
        .target(name: "CHEIF"),
        // Opens libtiff (debian: "libtiff-dev") when it is needed, in the way of CHEIF.
        .target(name: "CTIFF", dependencies: ["CHEIF"]),
        // giflib (debian: "libgif-dev") too.
        .target(name: "CGIF", dependencies: ["CHEIF"]),
        .target(
            name: "TidyKit",
            dependencies: [
                "CPlatform", "CUnistring", "CNettle", "CExif", "CExpat", "CZlib", "CTurboJPEG", "CJPEG", "CZimg",
                "CSPNG", "CWebP", "CHEIF", "CTIFF", "CGIF", "CLCMS", "CSQLite",
            ],
            swiftSettings: strict),
        .executableTarget(name: "phototidy", dependencies: ["TidyKit"], swiftSettings: strict),
        .target(
            name: "Support", dependencies: ["TidyKit", "CExif", "CTurboJPEG", "CWebP", "CHEIF"], path: "Tests/Support",
            swiftSettings: strict, linkerSettings: [.linkedLibrary("heif")]),
        .executableTarget(
            name: "sample-library", dependencies: ["Support", "TidyKit"], path: "Tests/SampleLibrary",
            swiftSettings: strict),
        .executableTarget(
            name: "fuzz-seeds", dependencies: ["Support", "TidyKit"], path: "Tests/FuzzSeeds", swiftSettings: strict),
        .testTarget(name: "TidyKitTests", dependencies: ["TidyKit", "Support"], swiftSettings: strict),
        .testTarget(
            name: "PhototidyTests", dependencies: ["phototidy", "Support"], exclude: ["Snapshots"],
            swiftSettings: strict),
    ]
)
