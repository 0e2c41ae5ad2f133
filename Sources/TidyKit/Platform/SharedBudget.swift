internal import Glibc

/// An amount that threads share, such as memory. A thread that asks for more than is free waits.
package final class SharedBudget: Sendable {
    private struct State {
        var mutex = pthread_mutex_t()
        var changed = pthread_cond_t()
        var free: Int64
    }

    package let total: Int64
    /// The address of the state, which is guarded by its mutex. An integer, because a pointer is not Sendable.
    private let address: UInt

    package init(_ total: Int64) {
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

    /// A part of a budget. Released when the value goes out of scope.
    package struct Share: ~Copyable {
        private let budget: SharedBudget
        private var amount: Int64
        /// The amount that was last asked for.
        package private(set) var wanted: Int64

        fileprivate init(_ budget: SharedBudget, _ amount: Int64) {
            self.budget = budget
            self.amount = amount
            wanted = amount
        }

        deinit { budget.release(amount) }

        /// True if the share is now `amount`, or was already more. False if too little is free: a thread never waits
        /// while it holds a share, to avoid a deadlock. The caller then releases the share and asks for `wanted`.
        package mutating func grow(to amount: Int64) -> Bool {
            let amount = min(amount, budget.total)
            wanted = max(amount, self.amount)
            guard budget.reserveIfFree(wanted - self.amount) else { return false }
            self.amount = wanted
            return true
        }
    }

    /// Reserves `amount`, or the whole budget if that is less. Waits until that much is free.
    package func share(_ amount: Int64) -> Share {
        let amount = min(max(amount, 0), total)
        let state = self.state
        pthread_mutex_lock(&state.pointee.mutex)
        while state.pointee.free < amount { pthread_cond_wait(&state.pointee.changed, &state.pointee.mutex) }
        state.pointee.free -= amount
        pthread_mutex_unlock(&state.pointee.mutex)
        return Share(self, amount)
    }

    private func reserveIfFree(_ amount: Int64) -> Bool {
        let state = self.state
        pthread_mutex_lock(&state.pointee.mutex)
        defer { pthread_mutex_unlock(&state.pointee.mutex) }
        guard state.pointee.free >= amount else { return false }
        state.pointee.free -= amount
        return true
    }

    private func release(_ amount: Int64) {
        let state = self.state
        pthread_mutex_lock(&state.pointee.mutex)
        state.pointee.free += amount
        pthread_cond_broadcast(&state.pointee.changed)
        pthread_mutex_unlock(&state.pointee.mutex)
    }
}
