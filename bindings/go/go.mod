module signalkit.dev/signalkit

go 1.19
