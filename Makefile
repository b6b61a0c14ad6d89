# lease: one statically linked file, two names.
#
#	make			build/lease and build/lease-init
#	make check		everything that scripts/check does
#	make install		PREFIX (/usr/local) and DESTDIR as usual
#	make CC=gcc | CC=clang	with another compiler (and its libc)
#	make SAN=1		with AddressSanitizer and UBSan, in build/san

VERSION := 0.1.0
COMMIT := $(shell git rev-parse --short=7 HEAD 2>/dev/null || echo unknown)
CC := musl-gcc
PREFIX := /usr/local
O := build

SRC := main.c \
	$(patsubst %,common/%.c,clock diag ending format ladder mask nowait number \
		pidfd pidset proc reap signame spawn tree usage) \
	$(patsubst %,init/%.c,forward init names options words zombies) \
	$(patsubst %,lease/%.c,backstop lease options owner session status)

WARN := -Wall -Wextra -Wshadow -Wpointer-arith -Wcast-qual -Wwrite-strings \
	-Wstrict-prototypes -Wmissing-prototypes -Wundef -Wvla -Wformat=2 \
	-Wconversion $(if $(WARN_ERROR),-Werror)
CPPFLAGS := -D_GNU_SOURCE -DVERSION='"$(VERSION)"' -Icommon -I.
CFLAGS := -Os
SAN :=

# A build must not depend on where the checkout is, nor on the time.
STD := -std=gnu11 -ffile-prefix-map=$(CURDIR)=. -fno-ident

ifdef SAN
O := build/san
CC := gcc
HARDEN := -g -fsanitize=address,undefined -fno-sanitize-recover=all \
	-fno-omit-frame-pointer
LINK = $(CC) $(HARDEN) -o $@ $^
else
# What each costs of 52 kB of text and data, and of 260 us for a start of
# lease-init before a program that does nothing (runs differ by 10 us):
#	position-independent	2.6 kB	20 us: it relocates itself
#	RELRO			0.0 kB	10 us: one mprotect
#	stack protector		2.1 kB	nothing that can be measured
#	_FORTIFY_SOURCE		nothing: musl has no such checks; glibc does
#	-O2 for -Os		5.7 kB	nothing that can be measured
#	-z separate-code	0.0 kB	nothing, but 4 kB of padding in the file
HARDEN := -fPIE -fstack-protector-strong -D_FORTIFY_SOURCE=2 \
	-fno-asynchronous-unwind-tables -fno-unwind-tables \
	-ffunction-sections -fdata-sections
LDHARD := -Wl,-z,relro,-z,now,-z,noexecstack,-z,noseparate-code,--gc-sections,--build-id=none,-s
ifneq ($(findstring musl,$(CC)),)
# musl-gcc turns -static-pie into a dynamic file, and -static with -pie into one
# that crashes.  musl's rcrt1.o is the start-up code that relocates itself; it is
# where musl's crti.o is (-print-file-name would name glibc's).
MUSL := $(shell $(CC) -\#\#\# -x c /dev/null 2>&1 | tr ' ' '\n' | \
	sed -n 's,/crti\.o$$,,p')
LINK = $(CC) -static -nostartfiles -o $@ \
	-Wl,-pie,--no-dynamic-linker,-z,text $(LDHARD) \
	$(MUSL)/rcrt1.o $(MUSL)/crti.o $^ $(MUSL)/crtn.o
else
LINK = $(CC) -static-pie $(LDHARD) -o $@ $^
endif
endif

OBJ := $(SRC:%.c=$(O)/obj/%.o)

all: $(O)/lease $(O)/lease-init

$(O)/lease: $(OBJ)
	$(LINK) $(LDFLAGS)

$(O)/lease-init: $(O)/lease
	ln -f $< $@

# Another commit changes one file only.
$(O)/commit: FORCE
	@mkdir -p $(@D)
	@echo '$(COMMIT)' | cmp -s - $@ || echo '$(COMMIT)' >$@

$(O)/obj/init/names.o: $(O)/commit
$(O)/obj/init/names.o: private CPPFLAGS += -DCOMMIT='"$(COMMIT)"'

# Other flags or another compiler make everything anew.
FLAGS = $(CC) $(STD) $(WARN) $(CPPFLAGS) $(HARDEN) $(CFLAGS)
$(O)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(FLAGS)' | cmp -s - $@ || echo '$(FLAGS)' >$@

$(O)/obj/%.o: %.c Makefile $(O)/flags
	@mkdir -p $(@D)
	$(FLAGS) -MMD -MP -c -o $@ $<

-include $(OBJ:.o=.d)

# Each unit test is one program of a test file and the modules of common/.
UNIT := $(patsubst tests/unit/%.c,$(O)/unit/%,$(wildcard tests/unit/*.c))
HELPER := $(patsubst tests/helpers/%.c,$(O)/helpers/%, \
	$(filter-out %/nochildren.c,$(wildcard tests/helpers/*.c))) \
	$(O)/helpers/nochildren.o
COMMON_OBJ := $(filter $(O)/obj/common/%,$(OBJ))

tests: $(UNIT) $(HELPER)

$(O)/unit/%: tests/unit/%.c tests/unit/tap.h $(COMMON_OBJ)
	@mkdir -p $(@D)
	$(FLAGS) -Itests/unit $(if $(SAN),,-static) -no-pie -o $@ $< $(COMMON_OBJ)

$(O)/helpers/%: tests/helpers/%.c
	@mkdir -p $(@D)
	musl-gcc $(STD) $(WARN) -D_GNU_SOURCE -O2 -static -s -o $@ $<

$(O)/helpers/nochildren.o: tests/helpers/nochildren.c common/proc.h
	@mkdir -p $(@D)
	$(CC) $(STD) $(WARN) -D_GNU_SOURCE -Icommon -Os -fPIE -c -o $@ $<

check:
	./scripts/check

demo:
	./scripts/demo

bench: all
	./scripts/bench

install: all
	install -D -m 755 $(O)/lease $(DESTDIR)$(PREFIX)/bin/lease
	ln -f $(DESTDIR)$(PREFIX)/bin/lease $(DESTDIR)$(PREFIX)/bin/lease-init
	install -D -m 644 lease/lease.1 \
		$(DESTDIR)$(PREFIX)/share/man/man1/lease.1
	install -D -m 644 init/lease-init.8 \
		$(DESTDIR)$(PREFIX)/share/man/man8/lease-init.8

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/lease $(DESTDIR)$(PREFIX)/bin/lease-init \
		$(DESTDIR)$(PREFIX)/share/man/man1/lease.1 \
		$(DESTDIR)$(PREFIX)/share/man/man8/lease-init.8

clean:
	rm -rf build

FORCE:

.PHONY: FORCE all tests check demo bench install uninstall clean
