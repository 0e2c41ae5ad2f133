internal import Glibc

/// A place on Earth in degrees (WGS 84); north and east are positive.
package struct Coordinate: Hashable, Sendable {
    package let latitude: Double
    package let longitude: Double

    /// Nil for values beyond ±90° or ±180°, and for NaN.
    package init?(latitude: Double, longitude: Double) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }

    /// A place that a file records. Also nil for 0, 0, which devices write if they have no position.
    package static func recorded(latitude: Double, longitude: Double) -> Coordinate? {
        latitude == 0 && longitude == 0 ? nil : Coordinate(latitude: latitude, longitude: longitude)
    }

    /// The great-circle distance by the haversine formula on a sphere of 6371.0088 km (IUGG mean radius).
    package func kilometres(to other: Coordinate) -> Double {
        let radians = Double.pi / 180
        let latitudes = sin((other.latitude - latitude) * radians / 2)
        let longitudes = sin((other.longitude - longitude) * radians / 2)
        let a =
            latitudes * latitudes + cos(latitude * radians) * cos(other.latitude * radians) * longitudes * longitudes
        return 2 * 6371.0088 * asin(min(1, a.squareRoot()))
    }
}
