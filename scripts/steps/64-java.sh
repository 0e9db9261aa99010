# Java: the jar, its tests, the blocks of its README, its documentation, its example.

# Without Maven, which would want a network. Steps that run at the same time share it.
java_jar() (
    jar=build/java/signalkit.jar classes=build/java/classes
    mkdir -p build/java && exec 9>build/java/lock && flock 9 || exit 1
    [ -e $jar ] && [ -z "$(find bindings/java/src/main bindings/java/LICENSE -newer $jar)" ] && exit
    rm -rf $classes $jar && find bindings/java/src/main/java -name '*.java' >build/java/sources &&
        javac -encoding UTF-8 --release 17 -Xlint:all,-requires-automatic -Werror -p /usr/share/java/jna.jar \
            -d $classes @build/java/sources && jar --create --file $jar -C $classes . -C bindings/java LICENSE
)
# The tests are in the package that they test.
java_tests() {
    local jars=/usr/share/java classes=build/java/classes tests=build/java/tests jar path
    path=build/java/signalkit.jar:$jars/jna.jar
    for jar in junit-jupiter-{api,engine} junit-platform-{commons,console,engine,launcher,reporting} opentest4j \
        apiguardian-api picocli; do
        path+=:$jars/$jar.jar
    done
    rm -rf $tests && mkdir -p $tests &&
        javac -encoding UTF-8 -Xlint:all,-try,-processing,-path -Werror -cp "$path" -d $tests \
            bindings/java/src/test/java/signalkit/*.java &&
        java -Dfile.encoding=UTF-8 \
            -Dsignalkit.sources=bindings/java/src/main/java/signalkit -cp "$tests:$path" \
            org.junit.platform.console.ConsoleLauncher --disable-banner --details=summary --fail-if-no-tests \
            --scan-classpath $tests
}

java_package() { with_packages "default-jdk-headless libjna-java junit5" java_installed; }
java_installed() {
    local modules=/usr/share/java/jna.jar:build/java/signalkit.jar out=build/java/programs way
    scripts/java.py --check && installed && mkdir -p $out || return 1
    export LD_LIBRARY_PATH=$PWD/build/prefix/lib
    java_jar && java_tests || return 1
    local run=(java -Dfile.encoding=UTF-8 -p $modules --add-modules signalkit -cp $out)
    java_readme $out && javac -encoding UTF-8 -Xlint:all,-try -Werror -p $modules --add-modules signalkit -d $out \
        $out/*.java bindings/java/src/test/Leaving.java examples/java/LoadWatch.java || return 1
    diff <(printf '%s\n' 1 2 3) <("${run[@]}" First) || return 1
    diff bindings/java/src/test/readme.txt <("${run[@]}" Readme) || return 1
    for way in "exit in a callback=7" "exit on a thread of the library=7" "exit during an endless start=7" uncaught=1 \
        return=0; do
        "${run[@]}" Leaving "${way%=*}" 2>$out/leaving.log
        [ $? = "${way#*=}" ] || { echo "$way: not so"; return 1; }
        ! grep signalkit: $out/leaving.log || { echo "$way: reported"; return 1; }
    done
    javadoc -quiet -Xdoclint:all -Werror --release 17 -p /usr/share/java/jna.jar -d build/java/doc \
        @build/java/sources 2>build/java/doc.log || { cat build/java/doc.log; return 1; }
    watches build/java/loadwatch.log "${run[@]}" LoadWatch
}
# The first block of the README is a program; the others become one.
java_readme() { # DIRECTORY
    awk -v out="$1" '
        /^```java$/ { block++; inside = 1; next }
        /^```$/ { inside = 0 }
        inside && block == 1 { print > (out "/First.java") }
        inside && block > 1 { body = body "        " $0 "\n" }
        END {
            print "import java.time.Duration;\nimport signalkit.*;\npublic class Readme {" > (out "/Readme.java")
            print "    public static void main(String[] arguments) throws Exception {" > (out "/Readme.java")
            print body "    }\n}" > (out "/Readme.java")
        }' bindings/java/README.md
}

# Random pipelines, by the jar and by a model.
random_java() { with_packages "default-jdk-headless libjna-java" random_in_java; }
random_in_java() {
    local modules=/usr/share/java/jna.jar:build/java/signalkit.jar out=build/java/random
    installed && mkdir -p $out && java_jar || return 1
    export LD_LIBRARY_PATH=$PWD/build/prefix/lib
    javac -encoding UTF-8 -Xlint:all,-try -Werror -p $modules --add-modules signalkit -d $out \
        Tests/random/Pipelines.java &&
        random_pipelines java -p $modules --add-modules signalkit -cp $out Pipelines
}

# By Maven, from a copy of the folder, with the plugins that Debian has, and no network. There is no warning.
java_maven() {
    with_packages "default-jdk-headless libjna-java junit5 maven libmaven-compiler-plugin-java libmaven-jar-plugin-java
        libmaven-resources-plugin-java libsurefire-java" apart bindings/java bash -c "$java_mavened"
}
java_mavened='mvn -o -B --legacy-local-repository -Dmaven.repo.local=/usr/share/maven-repo -Dsurefire.version=2.22.3 \
        verify >log 2>&1 && ! grep "^\[\(WARNING\|ERROR\)\]" log || { cat log; exit 1; }
    parts="^(LICENSE|module-info.class|signalkit/Signal.class)$"
    [ "$(jar --list --file target/signalkit-*.jar | grep -cE "$parts")" = 3 ]'

steps+=(java_package random_java java_maven)
