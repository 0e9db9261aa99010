/** @file
 * C++ objects as values: a `std::shared_ptr<T>` becomes a value, which can be read as a `std::shared_ptr` of the same
 * `T`.
 */
#ifndef SIGNALKIT_CPP_OBJECT_HPP
#define SIGNALKIT_CPP_OBJECT_HPP

#include "value.hpp"

#include <memory>
#include <mutex>
#include <typeinfo>
#include <unordered_set>

namespace sgk {

namespace detail {

/** The object of such a value. A table of addresses identifies C++ objects, because values may also contain foreign
 * objects. */
struct object {
    const std::type_info &type;
    const std::shared_ptr<void> pointer;

    object(const std::type_info &of, std::shared_ptr<void> to) : type(of), pointer(std::move(to)) {
        const std::lock_guard<std::mutex> hold(lock());
        known().insert(this);
    }
    ~object() {
        const std::lock_guard<std::mutex> hold(lock());
        known().erase(this);
    }
    /** Returns the value's object, or nullptr if it is not a C++ object. */
    static const object *of(sgk_value v) {
        const void *found = v.kind == SGK_OBJECT ? sgk_to_object(v) : nullptr;
        const std::lock_guard<std::mutex> hold(lock());
        return found && known().count(found) ? static_cast<const object *>(found) : nullptr;
    }
    static bool equal(void *a, void *b) {
        return static_cast<object *>(a)->pointer == static_cast<object *>(b)->pointer;
    }
    static std::uint64_t hash(void *self) {
        return std::hash<std::shared_ptr<void>>()(static_cast<object *>(self)->pointer);
    }

private:
    static std::mutex &lock() {
        static auto &only = *new std::mutex; // outlives all values
        return only;
    }
    static std::unordered_set<const void *> &known() {
        static auto &all = *new std::unordered_set<const void *>;
        return all;
    }
};

} // namespace detail

/** Converts shared pointers. Two values are equal if they point to the same object. */
template <class T>
struct conversion<std::shared_ptr<T>> {
    static constexpr const char *name = "an object of this type";
    static bool matches(sgk_value v) {
        const detail::object *found = detail::object::of(v);
        return found && found->type == typeid(T);
    }
    static std::shared_ptr<T> from(sgk_value v) { return std::static_pointer_cast<T>(detail::object::of(v)->pointer); }
    static sgk_value to(const std::shared_ptr<T> &pointer) {
        sgk_object_table table = SGK_OBJECT_TABLE_INIT;
        table.release = [](void *self) { delete static_cast<detail::object *>(self); };
        table.equal = detail::object::equal;
        table.hash = detail::object::hash;
        return sgk_object(
            new detail::object(typeid(T), std::const_pointer_cast<std::remove_const_t<T>>(pointer)), &table);
    }
};

} // namespace sgk

#endif
