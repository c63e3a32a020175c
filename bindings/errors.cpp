// Kernel exceptions as Python exceptions of the same meaning.
//
// Bad input is a ValueError, a bound that was hit a TimeoutError or a MemoryError, an internal error a RuntimeError. The first
// two have types of their own: a `stop` of the caller's may raise a plain one, which means something else.
#include "oraclesum/search/bounds.hpp"
#include "oraclesum/search/error.hpp"

#include "registrars.hpp"

namespace nb = nanobind;

namespace oraclesum::bindings {

void register_errors(nb::module_& module) {
    nb::exception<search::InputError>(module, "InputError", PyExc_ValueError);
    nb::exception<search::Stopped>(module, "Stopped", PyExc_TimeoutError);
    module.def("make_ready_to_throw", &search::make_ready_to_throw);
    nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
        try {
            std::rethrow_exception(thrown);
        } catch (const search::TooLarge& error) {
            PyErr_SetString(PyExc_MemoryError, error.what());
        } catch (const search::InternalError& error) {
            PyErr_SetString(PyExc_RuntimeError, error.what());
        }
    });
}

}  // namespace oraclesum::bindings
