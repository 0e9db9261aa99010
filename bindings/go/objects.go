package signalkit

import (
	"sync"
	"sync/atomic"
)

// objects contains the Go objects that values refer to, by number. A cgo.Handle takes several times as long for an
// object that lives as long as one event.
var objects objectTable

const shards = 16

// objectTable has several shards, so that threads seldom wait for each other. A number is used again after its removal.
type objectTable struct {
	next   atomic.Uint32
	shards [shards]struct {
		sync.Mutex
		objects []any
		free    []uintptr
	}
}

// add returns the number of an object, which is not 0.
func (t *objectTable) add(object any) uintptr {
	number := uintptr(t.next.Add(1) % shards)
	shard := &t.shards[number]
	shard.Lock()
	defer shard.Unlock()
	place := uintptr(len(shard.objects))
	if count := len(shard.free); count > 0 {
		place, shard.free = shard.free[count-1], shard.free[:count-1]
		shard.objects[place] = object
	} else {
		shard.objects = append(shard.objects, object)
	}
	return (place+1)*shards + number
}

func (t *objectTable) get(number uintptr) any {
	shard := &t.shards[number%shards]
	shard.Lock()
	defer shard.Unlock()
	return shard.objects[number/shards-1]
}

func (t *objectTable) remove(number uintptr) {
	shard, place := &t.shards[number%shards], number/shards-1
	shard.Lock()
	defer shard.Unlock()
	shard.objects[place] = nil
	shard.free = append(shard.free, place)
}
