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
# The tests stand in the package that they test.
java_tests() {
    local jars=/usr/share/java classes=build/java/classes tests=build/java/tests jar path
    path=build/java/signalkit.jar:$jars/jna.jar
    for jar in junit-jupiter-{api,engine} junit-platform-{commons,console,engine,launcher,reporting} opentest4j \
        apiguardian-api picocli; do
        path+=:$jars/$jar.jar
    done
    rm -rf $tests && mkdir -p $tests && javac -encoding UTF-8 -Xlint:all,-try,-processing,-path -Werror -cp "$path" -d $tests \
        bindings/java/src/test/java/signalkit/*.java &&
        java -Dfile.encoding=UTF-8 -Dsignalkit.api=bindings/api.json \
            -Dsignalkit.sources=bindings/java/src/main/java/signalkit -cp "$tests:$path" \
            org.junit.platform.console.ConsoleLauncher --disable-banner --details=summary --fail-if-no-tests \
            --scan-classpath $tests
}
