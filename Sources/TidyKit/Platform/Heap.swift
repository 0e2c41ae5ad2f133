internal import CPlatform

/// The C library's heap.
public enum Heap {
    /// For work that takes and frees pieces of a megabyte or so many times: the next `bytes` (less than 1 GB) of the first
    /// thread's heap come from one piece of address space, in huge pages where the system has them, and what is freed is
    /// kept for the next piece (mallopt(3), madvise(2)). Otherwise each piece is mapped and unmapped again, and the kernel
    /// hands it out 4 KB at a time, which takes longer than resizing a picture.
    ///
    /// To be called by a program, not by a library, as it sets how all of the process allocates. Memory counts as used
    /// only where it is touched, by up to 2 MB more than before.
    public static func reserve(_ bytes: Int32) { platform_reserve_heap(Int(bytes)) }

    /// Gives all that is free back to the system, where much was freed that will not be wanted again (malloc_trim(3)).
    static func trim() { platform_trim_heap() }
}
