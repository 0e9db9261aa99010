package signalkit

import (
	"context"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"sync"
	"testing"
	"time"
)

// count returns the number of objects that values refer to.
func (t *objectTable) count() (count int) {
	for i := range t.shards {
		shard := &t.shards[i]
		shard.Lock()
		count += int(shard.count) - len(shard.free)
		shard.Unlock()
	}
	return
}

// settles checks that no object is alive after a test. The collector and the queues may need some time for that.
func settles(t *testing.T) {
	t.Helper()
	known := receivers.count()
	isOver := func() bool { return LiveTotal() == 0 && objects.count() == 0 && receivers.count() == known }
	t.Cleanup(func() {
		for end := time.Now().Add(time.Minute); !isOver(); time.Sleep(time.Millisecond) {
			if runtime.GC(); time.Now().After(end) {
				if count := receivers.count(); count != known {
					t.Errorf("the library knows %d receivers, and knew %d before", count, known)
				}
				if count := objects.count(); count != 0 {
					t.Errorf("values refer to %d objects", count)
				}
				for kind := LiveSignal; kind <= LiveReader; kind++ {
					if count := LiveCount(kind); count != 0 {
						t.Errorf("%d objects of kind %d are alive", count, kind)
					}
				}
				return
			}
		}
	})
}

// record contains the events of a subscription.
type record struct {
	mutex  sync.Mutex
	events []any
}

func (r *record) add(event any) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.events = append(r.events, event)
}

func (r *record) all() []any {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return append([]any{}, r.events...)
}

func listen[T any](t *testing.T, s *Signal[T]) *record {
	t.Helper()
	r := &record{}
	run, err := s.Start(func(value T) { r.add(value) }, func(err error) { r.add(err) }, func() { r.add("end") })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(run.Close)
	return r
}

func expect(t *testing.T, got []any, wanted ...any) {
	t.Helper()
	if !reflect.DeepEqual(got, append([]any{}, wanted...)) {
		t.Errorf("got %v, not %v", got, wanted)
	}
}

func eventually(t *testing.T, true func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !true(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("nothing has come of it")
		}
	}
}

// heard records the errors that no signal can deliver.
func heard(t *testing.T) *record {
	r := &record{}
	OnUnheard(func(operation string, err error) { r.add(err) })
	t.Cleanup(func() { OnUnheard(nil) })
	return r
}

var background = context.Background()

func TestMain(m *testing.M) {
	if LibraryVersion() != Version {
		fmt.Println("the library is", LibraryVersion(), "and this is", Version)
		os.Exit(1)
	}
	os.Exit(m.Run())
}
