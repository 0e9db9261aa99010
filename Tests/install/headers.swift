// The installed header, as a module: Clang finds its map in the folder of the same name.
import CSignalKit

let total: Int64 = sgk_live_total()
