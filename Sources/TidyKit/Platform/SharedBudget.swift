internal import Glibc

/// An amount that threads share, of memory say: who takes more than is left waits until others have given back.
public final class SharedBudget: Sendable {
    private struct State {
        var mutex = pthread_mutex_t()
        var changed = pthread_cond_t()
        var free: Int64
    }

    public let total: Int64
    /// Where the state lives: an address can be shared between threads, what is there is guarded by its mutex.
    private let address: UInt

    public init(_ total: Int64) {
        self.total = total
        let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
        state.initialize(to: State(free: total))
        pthread_mutex_init(&state.pointee.mutex, nil)
        pthread_cond_init(&state.pointee.changed, nil)
        address = UInt(bitPattern: state)
    }

    deinit {
        let state = self.state
        pthread_cond_destroy(&state.pointee.changed)
        pthread_mutex_destroy(&state.pointee.mutex)
        state.deallocate()
    }

    private var state: UnsafeMutablePointer<State> { UnsafeMutablePointer(bitPattern: address)! }

    /// Takes `amount`, at most all there is, and runs `body`; others wait meanwhile if they must.
    public func withAmount<Result, Failure: Error>(
        _ amount: Int64, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let amount = min(max(amount, 0), total)
        let state = self.state
        pthread_mutex_lock(&state.pointee.mutex)
        while state.pointee.free < amount { pthread_cond_wait(&state.pointee.changed, &state.pointee.mutex) }
        state.pointee.free -= amount
        pthread_mutex_unlock(&state.pointee.mutex)
        defer {
            pthread_mutex_lock(&state.pointee.mutex)
            state.pointee.free += amount
            pthread_cond_broadcast(&state.pointee.changed)
            pthread_mutex_unlock(&state.pointee.mutex)
        }
        return try body()
    }
}
