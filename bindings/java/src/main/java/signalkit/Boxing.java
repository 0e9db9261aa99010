package signalkit;

import com.sun.jna.Function;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;

/** sgk_object, called by libffi itself: JNA takes twenty times as long for a function that returns a struct. */
final class Boxing {
    private static final int BYTES_OF_TYPE = 24;
    private static final short INTEGER = 11; // FFI_TYPE_UINT64
    private static final short STRUCT = 13; // FFI_TYPE_STRUCT

    private static final Memory NUMBER = type(8, INTEGER, null);
    private static final Memory NUMBERS = pointers(NUMBER, NUMBER, null);
    private static final Memory VALUE = type(0, STRUCT, NUMBERS);
    private static final long CALL =
        Native.ffi_prep_cif(Function.C_CONVENTION, 2, Pointer.nativeValue(VALUE), Pointer.nativeValue(NUMBERS));
    private static final long FUNCTION = Pointer.nativeValue(C.LIBRARY.getFunction("sgk_object"));

    private Boxing() {}

    /** An ffi_type. */
    private static Memory type(int size, short kind, Memory elements) {
        Memory type = new Memory(BYTES_OF_TYPE);
        type.setLong(0, size);
        type.setShort(8, (short) size); // its alignment
        type.setShort(10, kind);
        type.setPointer(16, elements);
        return type;
    }

    private static Memory pointers(Memory... places) {
        Memory pointers = new Memory(8L * places.length);
        for (int i = 0; i < places.length; i++) pointers.setPointer(8L * i, places[i]);
        return pointers;
    }

    /** The arguments of a thread's call: the two arguments, their place, and the place of the result. */
    private static final class Call {
        final Memory memory = new Memory(48);
        final long address = Pointer.nativeValue(memory);

        Call() {
            memory.setLong(16, address);
            memory.setLong(24, address + 8);
        }
    }

    private static final ThreadLocal<Call> CALLS = ThreadLocal.withInitial(Call::new);

    /** The bits of the value of an object. */
    static long box(long number, long type) {
        Call call = CALLS.get();
        call.memory.setLong(0, number);
        call.memory.setLong(8, type);
        Native.ffi_call(CALL, FUNCTION, call.address + 32, call.address + 16);
        return call.memory.getLong(40);
    }
}
