/// The numbers that files and photos have in the journal of a run. A plan that runs again gives each file the number it
/// had: its new intent takes the place of the old one, and a photo that a kill tore stays one photo.
struct RunNumbers {
    private let steps: [FilePath: RunHistory.Step]
    private var places: StepPlaces
    private var nextFile: Int
    private var nextUnit: Int

    init(_ history: RunHistory) {
        steps = Dictionary(history.steps.map { ($0.intent.path, $0) }) { _, last in last }
        places = StepPlaces(id: history.id)
        nextFile = history.nextFile
        nextUnit = history.nextUnit
    }

    mutating func unit(of members: [DeletionPlan.Member]) -> Int {
        for member in members {
            if let known = steps[member.location] { return known.intent.unit }
        }
        defer { nextUnit += 1 }
        return nextUnit
    }

    /// Removes what a kill left in the trash for them: the new intent will not tell of it.
    mutating func files(of members: [DeletionPlan.Member]) -> [Int] {
        members.map { member in
            if let step = steps[member.location], step.isSettled || step.outcome == nil || step.outcome == .kept {
                if step.outcome == nil, !step.isSettled { try? places.clean(step) }
                return step.intent.file
            }
            defer { nextFile += 1 }
            return nextFile
        }
    }
}
