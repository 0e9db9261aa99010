module languages

go 1.19

require signalkit.dev/signalkit v1.0.0

replace signalkit.dev/signalkit => ../../../bindings/go
