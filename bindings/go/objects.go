package signalkit

import (
	"sync"
	"sync/atomic"
)

// objects contains the Go objects that values refer to, by number, and receivers what the library calls. A cgo.Handle
// takes several times as long.
var objects, receivers objectTable

const shards, pageSize = 16, 64

// objectTable has several shards, so that threads seldom wait for each other. A number is used again after its removal.
// Pages never move: get needs no lock, because it is called between add and remove of its number.
type objectTable struct {
	next   atomic.Uint32
	shards [shards]struct {
		sync.Mutex
		pages atomic.Pointer[[]*page]
		count uintptr // of the places that were used
		free  []uintptr
	}
}

type page [pageSize]any

// add returns the number of an object, which is not 0.
func (t *objectTable) add(object any) uintptr {
	number := uintptr(t.next.Add(1) % shards)
	shard := &t.shards[number]
	shard.Lock()
	defer shard.Unlock()
	place := shard.count
	if count := len(shard.free); count > 0 {
		place, shard.free = shard.free[count-1], shard.free[:count-1]
	} else if shard.count++; place%pageSize == 0 {
		var pages []*page
		if before := shard.pages.Load(); before != nil {
			pages = append(pages, *before...)
		}
		pages = append(pages, new(page))
		shard.pages.Store(&pages)
	}
	number += (place + 1) * shards
	*t.place(number) = object
	return number
}

func (t *objectTable) place(number uintptr) *any {
	place := number/shards - 1
	return &(*t.shards[number%shards].pages.Load())[place/pageSize][place%pageSize]
}

func (t *objectTable) get(number uintptr) any { return *t.place(number) }

func (t *objectTable) remove(number uintptr) {
	shard := &t.shards[number%shards]
	shard.Lock()
	defer shard.Unlock()
	*t.place(number) = nil
	shard.free = append(shard.free, number/shards-1)
}
