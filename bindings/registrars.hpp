// One registrar per topic; module.cpp calls them all.
#pragma once

#include <nanobind/nanobind.h>

namespace oraclesum::bindings {

void register_corpus(nanobind::module_& module);
void register_errors(nanobind::module_& module);
void register_family(nanobind::module_& module);
void register_instance(nanobind::module_& module);
void register_methods(nanobind::module_& module);
void register_objective(nanobind::module_& module);
void register_search(nanobind::module_& module);
void register_text(nanobind::module_& module);

}  // namespace oraclesum::bindings
