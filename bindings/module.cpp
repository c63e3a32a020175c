// The private compiled module: only wires the registrars, one per topic.
#include "registrars.hpp"

NB_MODULE(_kernel, module) {
    module.doc() = "The oraclesum kernel: private, used by the package's own Python.";
    // A family that lives until the interpreter ends, in a thread that does too, is nobody's mistake.
    nanobind::set_leak_warnings(false);
    module.attr("version") = ORACLESUM_VERSION;
    oraclesum::bindings::register_errors(module);
    oraclesum::bindings::register_text(module);    // before those that take its rules
    oraclesum::bindings::register_family(module);  // before those that give it
    oraclesum::bindings::register_corpus(module);
    oraclesum::bindings::register_instance(module);
    oraclesum::bindings::register_methods(module);
    oraclesum::bindings::register_objective(module);
    oraclesum::bindings::register_search(module);
}
