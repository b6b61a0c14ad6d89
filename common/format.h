/* format.h - text from a format, as snprintf(3) makes it, in little. */
#ifndef FORMAT_H
#define FORMAT_H

#include <stdarg.h>
#include <stddef.h>

/*
 * Knows %s, %.*s, %u, %x, %zu, %d, %%, the length ll, and a width with
 * leading zeros (%016llx); the compiler checks arguments as for printf.  The C
 * library's printf would be a sixth of our whole size, for floating point.
 *
 * Always terminates buf (size > 0) and returns the length of what it holds,
 * which is at most size - 1: what does not fit is cut.
 */
size_t format(char *buf, size_t size, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
size_t vformat(char *buf, size_t size, const char *fmt, va_list ap)
    __attribute__((format(printf, 3, 0)));

#endif
