# Java: the jar, its tests, the blocks of its README, its documentation, its example.

# Without Maven, which would want a network.
java_jar() {
    local classes=build/java/classes sources=bindings/java/src/main/java
    rm -rf $classes && mkdir -p $classes &&
        find $sources -name '*.java' >build/java/sources &&
        javac -encoding UTF-8 --release 17 -Xlint:all,-requires-automatic -Werror -p /usr/share/java/jna.jar \
            -d $classes @build/java/sources &&
        jar --create --file build/java/signalkit.jar -C $classes . -C bindings/java LICENSE
}
