/* Debian's liblammps-dev lacks this header of the fmt library. LAMMPS' headers name these parts of it; the fix calls none. */
#ifndef FMT_FORMAT_H_
#define FMT_FORMAT_H_

namespace fmt {
struct string_view;
struct format_args;
template <typename... Args, typename... All> format_args make_args_checked(All &&...);
} // namespace fmt
#endif
