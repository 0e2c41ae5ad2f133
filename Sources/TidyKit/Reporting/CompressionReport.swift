extension JSONWriter {
    /// The report `phototidy.compress/1` of Docs/Reference.md. The contract fixes the order of keys. A name that is not
    /// UTF-8 also appears in Base64.
    package mutating func report(_ items: [CompressionItem]) {
        object { json in
            json.key("schema")
            json.value("phototidy.compress/1")
            let totals = CompressionTotals(items)
            json.key("pictures")
            json.value(totals.pictures)
            json.key("sourceBytes")
            json.value(totals.sourceBytes)
            json.key("bytes")
            json.value(totals.bytes)
            for action in CompressionItem.Action.allCases {
                json.key(named: action.rawValue)
                json.value(totals.count(action))
            }
            json.key("items")
            json.array { json in for item in items { json.item(item) } }
        }
    }

    private mutating func item(_ item: CompressionItem) {
        object { json in
            json.key("source")
            json.value(item.source)
            if item.source.utf8Text == nil {
                json.key("sourceBase64")
                json.value(Base64.encode(item.source.bytes))
            }
            json.key("output")
            if let output = item.output { json.value(output) } else { json.null() }
            if let output = item.output, output.utf8Text == nil {
                json.key("outputBase64")
                json.value(Base64.encode(output.bytes))
            }
            json.key("sourceBytes")
            json.value(item.sourceBytes)
            json.key("bytes")
            if let bytes = item.bytes { json.value(bytes) } else { json.null() }
            json.key("target")
            if item.target == CompressionItem.noTarget { json.null() } else { json.value(item.target) }
            json.key("sourceWidth")
            json.value(item.sourceWidth)
            json.key("sourceHeight")
            json.value(item.sourceHeight)
            json.key("width")
            json.value(item.width)
            json.key("height")
            json.value(item.height)
            json.key("quality")
            json.value(item.quality)
            json.key("action")
            json.value(item.action.rawValue)
            json.key("reason")
            json.value(item.reason)
        }
    }
}
