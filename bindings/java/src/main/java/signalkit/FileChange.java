package signalkit;

import java.util.List;
import java.util.Set;

/**
 * A change of a file or folder: see {@link Signal#fileChanges}.
 *
 * @param events one of the requested ones, perhaps with {@link FileEvent#IS_FOLDER}
 * @param name the name of the file in the watched folder, or empty for the watched file or folder
 * @param cookie equal for both halves of a renaming, and otherwise 0
 */
public record FileChange(Set<FileEvent> events, String name, long cookie) {
    static FileChange of(List<Object> items) {
        return new FileChange(FileEvent.of((Long) items.get(0)), (String) items.get(1), (Long) items.get(2));
    }
}
