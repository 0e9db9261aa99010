/* Inspection of what is running. */
#include "suite.hpp"

#include <sstream>

void debugging() {
    using namespace sgk;

    test("a signal says what it is made of", [] {
        const sgk::signal<int> source = just(1) | named("one", "file", 7) | take(2);
        CHECK(source.describe() == "take\n  named \"one\" (file:7)\n    just\n");
        CHECK((std::ostringstream() << source).str() == source.describe());
        CHECK(source.describe(SGK_DEBUG_DOT).find("digraph") == 0);
        CHECK(source.describe(SGK_DEBUG_JSON).find("{\"operator\":\"take\"") == 0);
        CHECK_THROWS(sgk::signal<int64_t>().describe(), SGK_ERROR_KIND);
    });
    test("what runs is seen while somebody looks", [] {
        const debug_watch look;
        sgk::pipe<int64_t> source;
        record seen;
        const scoped_disposable run = seen.run(source.signal() | named("watched", SGK_HERE));
        CHECK(debug_graph().find("\"watched\" (" __FILE__) != std::string::npos);
        CHECK(debug_graph(SGK_DEBUG_JSON).find("{\"version\":1") == 0);
        CHECK_THROWS(debug_graph(static_cast<sgk_debug_format>(3)), SGK_ERROR_ARGUMENT);
    });
    test("a handler is told of what happens, with the value for traces", [] {
        std::string told;
        set_trace_handler([&told, seen = captured()](const sgk_trace_event &event) {
            told += std::string(trace_kind_text(event.kind)) + (event.context == 7 ? "7 " : "0 ");
        });
        {
            const trace_context seven(7);
            CHECK(trace_context::current() == 7);
            events(just(1));
        }
        CHECK(trace_context::current() == 0);
        sgk_set_trace_handler(nullptr, nullptr, nullptr);
        CHECK(told.find("start7 ") == 0 && told.find("next7 ") != std::string::npos);
    });
    test("what is alive is written down", [] {
        const queue kept("kept");
        CHECK(debug_dump().find("queue") != std::string::npos);
    });
    test("a run says what has become of it", [] {
        sgk::pipe<int64_t> source;
        const disposable run = source.signal().start([](int64_t) {});
        CHECK(run.state() == std::string("running"));
        run.dispose();
        CHECK(run.state() == std::string("disposed"));
        CHECK_THROWS(disposable().state(), SGK_ERROR_NULL);
    });
}
