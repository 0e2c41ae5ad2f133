internal import Glibc
internal import TidyKit

@main
enum Main {
    static func main() {
        Interrupt.catchSignals()
        print("phototidy 0.1.0")
    }
}
