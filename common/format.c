/* Pure: no locale, no memory, no descriptor. */
#include <string.h>

#include "format.h"

struct out {
	char *buf;
	size_t used, room; /* room without the final 0 */
};

static void
put(struct out *o, const char *text, size_t n)
{
	if (n > o->room - o->used)
		n = o->room - o->used;
	memcpy(o->buf + o->used, text, n);
	o->used += n;
}

static void
put_number(struct out *o, unsigned long long v, unsigned base, size_t width)
{
	char digits[64], *p = digits + sizeof(digits);
	size_t n = 0;

	do {
		*--p = "0123456789abcdef"[v % base];
		v /= base;
		n++;
	} while ((v > 0 || n < width) && n < sizeof(digits));
	put(o, p, n);
}

static void
put_signed(struct out *o, long long v, size_t width)
{
	unsigned long long magnitude = (unsigned long long)v;

	if (v < 0) {
		put(o, "-", 1);
		magnitude = -magnitude;
	}
	put_number(o, magnitude, 10, width);
}

size_t
vformat(char *buf, size_t size, const char *fmt, va_list ap)
{
	struct out o = {.buf = buf, .room = size - 1};

	for (; *fmt != '\0'; fmt++) {
		size_t width = 0, most = (size_t)-1;
		const char *text;
		char length = 0;

		if (*fmt != '%') {
			put(&o, fmt, 1);
			continue;
		}
		for (fmt++; *fmt >= '0' && *fmt <= '9'; fmt++)
			width = width * 10 + (size_t)(*fmt - '0');
		if (strncmp(fmt, ".*", 2) == 0) {
			most = (size_t)va_arg(ap, int);
			fmt += 2;
		}
		for (; *fmt == 'l' || *fmt == 'z'; fmt++)
			length = *fmt;
		switch (*fmt) {
		case 's':
			text = va_arg(ap, const char *);
			put(&o, text, strnlen(text, most));
			break;
		case 'd':
			put_signed(&o,
			    length == 'l' ? va_arg(ap, long long)
					  : va_arg(ap, int),
			    width);
			break;
		case 'u':
		case 'x':
			put_number(&o,
			    length == 'l'   ? va_arg(ap, unsigned long long)
			    : length == 'z' ? va_arg(ap, size_t)
					    : va_arg(ap, unsigned),
			    *fmt == 'u' ? 10 : 16, width);
			break;
		case '%':
			put(&o, "%", 1);
			break;
		}
	}
	o.buf[o.used] = '\0';
	return o.used;
}

size_t
format(char *buf, size_t size, const char *fmt, ...)
{
	va_list ap;
	size_t n;

	va_start(ap, fmt);
	n = vformat(buf, size, fmt, ap);
	va_end(ap);
	return n;
}
