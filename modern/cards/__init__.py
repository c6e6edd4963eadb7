"""Keys on several GPUs at once: every card reads its own keys, and the first one answers.

| object | made by | promises |
|---|---|---|
| `CardRows` | `open_cards` | the answers of one array, on the first card; nothing waits |
| `Cards` | `CardRows` | launches on all cards or the first one, and orders them by events |
| `GPUPieces` | `CardRows` | pieces for a method by its name, in rounds over the host |
"""
