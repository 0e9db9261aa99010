package signalkit.internal;

import com.sun.jna.Pointer;
import com.sun.jna.Structure;

/** A value as the library returns it, and as a callback does. */
@Structure.FieldOrder({"word", "bits"})
public final class Value extends Structure implements Structure.ByValue {
    /** The kind, with the reserved field in the upper bits. */
    public long word;
    /** The content of the value. */
    public long bits;

    /** Null. */
    public Value() {}

    /**
     * Replaces the value.
     *
     * @param newWord the kind
     * @param newBits the content
     * @return this
     */
    public Value with(long newWord, long newBits) {
        word = newWord;
        bits = newBits;
        write(); // JNA does not, of what a callback returns
        return this;
    }

    // By hand, which is much quicker than by reflection.

    @Override
    public void read() {
        Pointer place = getPointer();
        word = place.getLong(0);
        bits = place.getLong(8);
    }

    @Override
    public void write() {
        Pointer place = getPointer();
        place.setLong(0, word);
        place.setLong(8, bits);
    }
}
