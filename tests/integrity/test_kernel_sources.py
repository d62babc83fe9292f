"""C++ and CUDA handed to the helpers: what does more than compute is refused, by its text or by what it compiles to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from passnet.kernels import cpp, cuda
from passnet.kernels.compilation import compile
from passnet.kernels.ghost import ghosts
from passnet.kernels.policy.breach import KernelPolicyError
from passnet.kernels.policy.objects import ALLOWED_CALLS, check_object
from tests.kernels.kernel_marks import IS_CLANG, needs_cuda_compiler, needs_openmp

pytestmark = pytest.mark.integrity
HEAD = "#include <cstdint>\n"
BODY = 'extern "C" void f(float* o, int64_t n) { %s }'
# Words are joined only behind a header that defines this name.
JOINED = "#ifdef _GLIBCXX_CSTDINT\n#define J(a, b) a##b\n#endif\n"


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    earlier = compile.settings()
    compile.configure(cache_dir=tmp_path_factory.mktemp("kernels"))
    yield
    compile.restore(earlier)


REFUSED = {
    "static": ("kept", BODY % "static float kept[8]; o[0] = kept[0]; kept[0] = o[1];"),
    "global": ("kept", "float* kept;\n" + BODY % "if (kept) o[0] = kept[0]; kept = o;"),
    "exported": ("kept", 'extern "C" { float kept[4] = {1}; }\n' + BODY % "o[0] = kept[0]++;"),
    "thread_local": ("variable t ", "thread_local float t[4];\n" + BODY % "t[0] += 1; o[0] = t[0];"),
    "threadprivate": ("kept", "static int kept;\n#pragma omp threadprivate(kept)\n" + BODY % "o[0] = ++kept;"),
    "dynamic_local": ("table", "#include <vector>\n" + BODY % "static std::vector<float> table(n); o[0] = table[0];"),
    "inline_variable": ("kept", "inline int kept = 7;\n" + BODY % "o[0] = ++kept;"),
    "template_static": (
        "kept",
        "template <class T> struct S { static T kept; };\ntemplate <class T> T S<T>::kept;\n"
        + BODY % "o[0] = ++S<float>::kept;",
    ),
    "variable_template": ("kept", "template <class T> T kept = 0;\n" + BODY % "o[0] = ++kept<float>;"),
    "mutable_constant": (
        "kept",
        "struct S { mutable int n; };\nstatic const S kept = {3};\n" + BODY % "o[0] = ++kept.n;",
    ),
    "static_lambda": ("", BODY % "static auto next = [k = 0]() mutable { return ++k; }; o[0] = next();"),
    "common": ("kept", "__attribute__((common)) int kept;\n" + BODY % "o[0] = ++kept;"),
    "writable_section": (
        "kept",
        '__attribute__((section(".rodata.x,\\"aw\\"#"))) int kept = 3;\n' + BODY % "o[0] = ++kept;",
    ),
    "own_section": ("kept", '[[gnu::section("mine")]] int kept = 3;\n' + BODY % "o[0] = ++kept;"),
    "macro_section": (
        "kept",
        '#define P(a, b) a##b\n__attribute__((P(sect, ion)("mine"))) int kept = 3;\n' + BODY % "o[0] = ++kept;",
    ),
    "like_a_reference": (
        "kept|DW.ref",
        '__attribute__((section(".data.rel.local.DW.ref.x"))) int kept = 3, more;\n' + BODY % "o[0] = ++kept + ++more;",
    ),
    "named_like_the_binding": (
        "passnet_binding",
        "namespace passnet_binding { int kept; }\n" + BODY % "o[0] = ++passnet_binding::kept;",
    ),
    "named_like_the_system": ("__state", "static int __state;\n" + BODY % "o[0] = ++__state;"),
    "code_section": (
        "section",
        '__attribute__((section(".init"))) void c() { __builtin_trap(); }\n' + BODY % "o[0] = 1;",
    ),
    "data_in_code": (
        "",
        '__attribute__((section(".text"))) extern const char code[] = {15, 5, 1};\n' + BODY % "o[0] = code[n];",
    ),
    "early_pointer": (
        "init_array",
        'void c() { __builtin_trap(); }\n__attribute__((section(".init_array"), used)) '
        "void (*const p)() = c;\n" + BODY % "o[0] = 1;",
    ),
    "constructor": (
        "section|variable",
        "__attribute__((__constructor__)) void c() { __builtin_trap(); }\n" + BODY % "o[0] = 1;",
    ),
    "gnu_constructor": (
        "section|variable",
        "[[gnu::constructor]] void c() { __builtin_trap(); }\n" + BODY % "o[0] = 1;",
    ),
    "destructor": (
        "section|variable",
        "[[using gnu: destructor]] void c() { __builtin_trap(); }\n" + BODY % "o[0] = 1;",
    ),
    "dynamic_initialisation": (
        "",
        "float early() { volatile float x = 4; return x; }\nconst float kept = early();\n" + BODY % "o[0] = kept;",
    ),
    "chosen_when_loaded": (
        "chosen|calls",
        "static void late_(float*) {}\nvoid (*pick())(float*) { return late_; }\n"
        'void late(float*) __attribute__((ifunc("_Z4pickv")));\n' + BODY % "late(o);",
    ),
    "start_of_a_program": (
        "__gmon_start__",
        'extern "C" void __gmon_start__() { __builtin_trap(); }\n' + BODY % "o[0] = 1;",
    ),
    "transactions": (
        "_ITM",
        'extern "C" void _ITM_registerTMCloneTable() { __builtin_trap(); }\n' + BODY % "o[0] = 1;",
    ),
    "in_place_of_the_interpreter": (
        "PyObject_GetAttr",
        'extern "C" long PyObject_GetAttr(void*, void*) { return 1; }\n' + BODY % "o[0] = 1;",
    ),
    "in_place_of_the_binding": ("passnet_bind", 'extern "C" void passnet_bind(void**) {}\n' + BODY % "o[0] = 1;"),
    "in_place_of_the_runtime": (
        "__cxa_begin_catch",
        'extern "C" long __cxa_begin_catch(void*) { return 1; }\n' + BODY % "o[0] = 1;",
    ),
    "in_place_of_memory_functions": (
        "mempcpy",
        'extern "C" long mempcpy(void*, const void*, unsigned long) { return 1; }\n' + BODY % "o[0] = 1;",
    ),
    "in_place_of_the_heap": ("memalign", 'extern "C" long memalign(long, long) { return 1; }\n' + BODY % "o[0] = 1;"),
    "thread_header": ("thread", "#include <thread>\n" + BODY % "std::thread([=] { o[0] = 1; }).detach();"),
    "atomic_header": ("atomic", "#include <atomic>\n" + BODY % "std::atomic<int> k(n); o[0] = ++k;"),
    "clock_header": ("chrono", "#include <chrono>\n" + BODY % "o[0] = 1;"),
    "stream_header": ("iostream", "#include <iostream>\n" + BODY % "o[0] = 1;"),
    "own_counting_mode": (
        "__libc_single_threaded",
        'extern "C" { char __libc_single_threaded; }\n' + BODY % "o[0] = 1;",
    ),
    "real_counting_mode": (
        "__real___libc_single_threaded",
        'extern "C" char __real___libc_single_threaded;\n' + BODY % "o[0] = ++__real___libc_single_threaded;",
    ),
    "declared_thread": (
        "pthread_create",
        'extern "C" int pthread_create(void*, const void*, void* (*)(void*), void*);\n'
        + BODY % "pthread_create(o, nullptr, nullptr, nullptr);",
    ),
    "assembly": ("asm", BODY % 'asm volatile("nop");'),
    "pasted_assembly": ("asm", "#define J(a, b) a##b\n" + BODY % 'J(as, m)("nop");'),
    "split_assembly": ("asm", BODY % 'as\\\nm("nop");'),
    "digraph_assembly": ("%:define", "%:define J(a, b) a%:%:b\n" + BODY % 'J(as, m)("nop");'),
    "hidden_by_a_text": (
        "asm",
        "#define fooR\nextern const char* kept;\n" + BODY % 'fooR"("; asm("nop"); o[0] = 1; ")";',
    ),
    "digraph_header": ("%:include", "%:include <thread>\n" + BODY % "o[0] = 1;"),
    "digraph_after_numbers": (
        "%:include",
        "const int a = 1'0 + '/*';\n%:include <thread>\n// */\n" + BODY % "o[0] = 1;",
    ),
    "splice_with_spaces": ("asm", BODY % 'as\\ \nm("nop");'),
    "asm_between_numbers": ("assembly", BODY % "o[0] = 1'0; asm(\"nop\"); o[1] = 2'0;"),
    "other_directive": ("include_next", "#include_next <thread>\n" + BODY % "o[0] = 1;"),
    "line_of_a_header": ("line", '#line 7 "vector"\n' + BODY % "o[0] = 1;"),
    "blas": ("cblas_sgemm", 'extern "C" void cblas_sgemm(...);\n' + BODY % "cblas_sgemm(1);"),
    "weak": ("sgemm_", 'extern "C" void sgemm_(float*) __attribute__((weak));\n' + BODY % "if (sgemm_) sgemm_(o);"),
    "renamed": ("sgemm_", '#pragma redefine_extname fine sgemm_\nextern "C" void fine(float*);\n' + BODY % "fine(o);"),
    "weak_name": ("weak", "#pragma weak sgemm_\n" + BODY % "o[0] = 1;"),
    "weak_name_of_an_operator": ("weak", '_Pragma("weak sgemm_")\n' + BODY % "o[0] = 1;"),
    "emptied_cache": ("clflush", "#include <immintrin.h>\n" + BODY % "_mm_clflush(o);"),
    "transaction": (
        "xbegin",
        '#include <immintrin.h>\n__attribute__((target("rtm"))) unsigned t() { return _xbegin(); }\n'
        + BODY % "o[0] = t();",
    ),
    "control_register": (
        "xgetbv",
        '#include <immintrin.h>\n__attribute__((target("xsave"))) long t() { return _xgetbv(0); }\n'
        + BODY % "o[0] = t();",
    ),
    "caller": ("return_address", BODY % "o[0] = (float)(long)__builtin_return_address(0);"),
    "frame": (
        "frame_address",
        "#define J(a, b) a##b\n" + BODY % "o[0] = (float)(long)J(__builtin_frame, _address)(0);",
    ),
    "aten": ("at", "namespace at { void relu(float*); }\n" + BODY % "at::relu(o);"),
    "secret_header": ("passwd", "#include </etc/passwd>\n" + BODY % "o[0] = 1;"),
    "computed_header": ("HEADER", "#define HEADER <thread>\n#include HEADER\n" + BODY % "o[0] = 1;"),
    "loader": ("dlopen", 'extern "C" void* dlopen(const char*, int);\n' + BODY % 'dlopen("x", 1);'),
    "symbol": (
        "dlsym",
        'extern "C" void* dlsym(void*, const char*);\n' + BODY % 'o[0] = dlsym(nullptr, "torch") != nullptr;',
    ),
    "file": ("open", 'extern "C" int open(const char*, int, ...);\n' + BODY % 'open("/tmp/x", 1);'),
    "system_call": ("syscall", 'extern "C" long syscall(long, ...);\n' + BODY % "o[0] = syscall(39);"),
    "clock": ("rdtsc", BODY % "o[0] = __builtin_ia32_rdtsc();"),
    "clock_of_the_library": (
        "__gettimeofday",
        'extern "C" int __gettimeofday(void*, void*);\n' + BODY % "__gettimeofday(o, nullptr);",
    ),
    "clock_of_openmp": ("omp_get_wtime", 'extern "C" double omp_get_wtime();\n' + BODY % "o[0] = omp_get_wtime();"),
    "processors": ("omp_get_num_procs", 'extern "C" int omp_get_num_procs();\n' + BODY % "o[0] = omp_get_num_procs();"),
    "most_threads": (
        "omp_get_thread_limit.*PASSNET_THREADS",
        'extern "C" int omp_get_thread_limit();\n' + BODY % "o[0] = omp_get_thread_limit();",
    ),
    "whether_a_team_works": (
        "omp_in_parallel",
        'extern "C" int omp_in_parallel();\n' + BODY % "o[0] = omp_in_parallel();",
    ),
    "interpreter": ("PyRun", 'extern "C" int PyRun_SimpleString(const char*);\n' + BODY % 'PyRun_SimpleString("");'),
    "hidden_interpreter": (
        "PyRun",
        '#define J(a, b) a##b\nextern "C" int J(Py, Run_SimpleString)(const char*);\n'
        + BODY % 'J(Py, Run_SimpleString)("");',
    ),
    "binding": ("passnet_ghost", 'extern "C" long passnet_ghost(long);\n' + BODY % "passnet_ghost(0);"),
    "state_of_the_library": ("environ", 'extern "C" char** environ;\n' + BODY % "o[0] = environ[0][0];"),
    "streams": ("stdout", 'extern "C" void* stdout;\n' + BODY % "o[0] = stdout != nullptr;"),
    "number_of_an_error": (
        "__errno_location",
        'extern "C" int* __errno_location();\n' + BODY % "o[0] = ++*__errno_location();",
    ),
    "text_of_an_error": (
        "snprintf",
        '#include <cstdlib>\nextern "C" int snprintf(char*, unsigned long, const char*, ...);\n'
        + BODY % 'char t[64]; snprintf(t, 64, "%%m"); o[0] = t[0];',
    ),
    "random_numbers": ("rand", 'extern "C" int rand();\n' + BODY % "o[0] = rand();"),
    "settings_of_openmp": ("omp_set", 'extern "C" void omp_set_num_threads(int);\n' + BODY % "omp_set_num_threads(n);"),
    "team_that_works_on": (
        "GOMP_parallel_start",
        "static void begin(void (*)(void*), void*, unsigned) "
        '__attribute__((weakref("GO" "MP_parallel_start")));\n'
        "static void work(void* p) { ++*static_cast<volatile float*>(p); }\n" + BODY % "begin(work, o, 2u);",
    ),
    "memory_of_openmp": (
        "omp_alloc",
        'extern "C" void* omp_alloc(unsigned long, unsigned long);\n' + BODY % "o[0] = *(float*)omp_alloc(n, 1);",
    ),
    "processor_model": ("__builtin_cpu_supports", BODY % 'o[0] = __builtin_cpu_supports("avx2");'),
    "exception_globals": (
        "__cxa_get_globals",
        'extern "C" int* __cxa_get_globals();\n' + BODY % "o[0] = ++__cxa_get_globals()[2];",
    ),
    "at_the_end": (
        "__cxa_atexit",
        'extern "C" int __cxa_atexit(void*, void*, void*);\n' + BODY % "__cxa_atexit(o, o, o);",
    ),
    "address_of_the_thread": ("__builtin_thread_pointer", BODY % "o[0] = ((float*)__builtin_thread_pointer())[n];"),
    "addresses_of_the_loader": (
        "_GLOBAL_OFFSET_TABLE_",
        'extern "C" char _GLOBAL_OFFSET_TABLE_[];\n' + BODY % "o[0] = _GLOBAL_OFFSET_TABLE_[n]++;",
    ),
    "thread_register": (
        "gsbase",
        "#include <immintrin.h>\n" + BODY % "o[0] = __builtin_ia32_rdgsbase64(); __builtin_ia32_wrgsbase64(n);",
    ),
    "rounding_mode": (
        "mxcsr",
        "#include <immintrin.h>\n" + BODY % "_mm_setcsr(_mm_getcsr() ^ 0x8000); o[0] = _mm_getcsr();",
    ),
    "flags_written": ("instruction p", BODY % "__builtin_ia32_writeeflags_u64(n);"),
    "name_for_the_assembler": (
        "asm",
        JOINED + 'extern "C" double named(double) J(__as, m__)("sin\\n\\tnop");\n' + BODY % "o[0] = named(n);",
    ),
    "register_variable": (
        "asm",
        JOINED + BODY % 'register long kept J(__as, m__)("r12"); J(__as, m__)("" : "=r"(kept)); o[0] = kept;',
    ),
    "register_for_all": ("asm", JOINED + 'register long kept J(__as, m__)("r15");\n' + BODY % "o[0] = ++kept;"),
    "plain_register_variable": ("asm", BODY % 'register long kept asm("r12"); o[0] = kept;'),
    "name_in_a_header": (
        "behind the macro J",
        "#define J(a, b) a##b\n"
        '#define memfrob named(double) J(as, m)("sin\\n\\tnop"); extern void* frobbed\n'
        "#include <cstring>\n" + BODY % "o[0] = (long)named(n);",
    ),
    "register_in_a_header": (
        "behind the macro J",
        '#define J(a, b) a##b\n#define memfrob first(); register long kept J(as, m)("" "r15"); extern void* frobbed\n'
        "#include <cstring>\n" + BODY % "o[0] = ++kept;",
    ),
    "assembly_in_a_header": (
        "behind the macro J",
        "#define J(a, b) a##b\n"
        '#define memfrob first(); static long now() { long t; J(as, m)("nop" : "=a"(t)); return t; } extern void* g\n'
        "#include <cstring>\n" + BODY % "o[0] = now();",
    ),
    "caller_in_a_header": (
        "behind the macro J",
        "#define J(a, b) a##b\n"
        "#define memfrob first(); static long who() { return (long)J(__builtin_ret, urn_address)(0); } extern void* g\n"
        "#include <cstring>\n" + BODY % "o[0] = who();",
    ),
    "headers_words": (
        "asm|__CONCAT",
        "#include <cstring>\n" + BODY % '__CONCAT(__as, m__) volatile("rdtsc" : "=a"(n));',
    ),
    "headers_declarations": (
        "__REDIRECT",
        '#include <cstring>\nextern "C" int64_t __REDIRECT(named, (double), sin);\n' + BODY % "o[0] = named(n);",
    ),
    "caller_beside_a_header": ("return_address", JOINED + BODY % "o[0] = (long)J(__builtin_ret, urn_address)(0);"),
    "pragma_beside_a_header": (
        "weak",
        '#ifdef _GLIBCXX_CSTDINT\n_Pragma("weak sgemm_")\n#endif\n' + BODY % "o[0] = 1;",
    ),
    "time_of_compilation": ("__TIME__", JOINED + BODY % "o[0] = J(__TI, ME__)[7];"),
    "lines_of_others": (
        "MARK",
        '#define MARK #\nMARK 5 "vector" 3\n' + BODY % 'asm("nop"); o[0] = 1;',
    ),
    "lines_in_a_section": (
        "section",
        JOINED
        + '__attribute__((J(sect, ion)(".text.x\\n\\tnop\\n\\t.section .text.y"), noinline)) static void a(float* o) '
        "{ o[0] = 1; }\n" + BODY % "a(o);",
    ),
    "exported_and_not_defined": (
        "exports system",
        'extern "C" inline __attribute__((gnu_inline)) int system(const char* t) { return t[0]; }\n'
        + BODY % "o[0] = 1;",
    ),
    "hidden_behind_a_raw_string": (
        "raw string",
        'static const char* const kept = R"x( )\\\nx" /* )x";\n' + BODY % 'asm("nop"); o[0] = 1;' + "\n// */",
    ),
    "hidden_behind_a_number": (
        "number",
        "#pragma STDC FOO 1'.' \" ' /* \"\n" + BODY % 'asm("nop"); o[0] = 1;' + "\n// */",
    ),
    "hidden_behind_a_letter": ("ASCII", '#define \u00e9R\nextern char \u00e9R"( " )" /* ";\n' + BODY % "o[0] = 1;"),
    "asked_by_an_odd_name": (
        "universal",
        "#define \\u00e9J(a, b) a##b\n#if \\u00e9J(__has_,include)(</etc/passwd>)\n#endif\n" + BODY % "o[0] = 1;",
    ),
    "flags_read": ("instruction p", BODY % "o[0] = __builtin_ia32_readeflags_u64();"),
}
_LOOP = "for (int64_t i = 0; i < n; ++i) o[i] = std::erf(std::exp(o[i])) + std::pow(o[i], 1.5f);"
_THROW = 'if (n < 0) throw std::runtime_error("bad " + std::to_string(n) + " rows of many"); o[0] = 1;'
_NAMES = "float open = 1, signal = 2, clock = 3, thread = 4; o[0] = open + signal + clock + thread;"
_SORT = "std::vector<float> v(n); std::sort(o, o + n); o[0] = v[0];"
ACCEPTED = {
    "tables": "static const float t[4] = {1, 2, 3, 4};\nconstexpr int k = 3;\n" + BODY % "o[0] = t[n & 3] * k;",
    "mathematics": "#include <cmath>\n" + BODY % _LOOP,
    "containers": "#include <algorithm>\n#include <vector>\n" + BODY % _SORT,
    "exceptions": "#include <stdexcept>\n#include <string>\n" + BODY % _THROW,
    "names_like_system_calls": BODY % _NAMES,
    "classes": "struct V { virtual float f() const { return 1; } };\n"
    "struct W : V { float f() const override { return 2; } };\n"
    + BODY
    % "const V v; const W w; const V* all[] = {&v, &w}; o[0] = all[n & 1]->f();",
    "names": 'static const char* const names[] = {"a", "b"};\n' + BODY % "o[0] = names[n & 1][0];",
    "routines": "static float a(float x) { return x; }\nstatic float b(float x) { return 2 * x; }\n"
    "static float (*const both[])(float) = {a, b};\n" + BODY % "o[0] = both[n & 1](o[1]);",
    "attributes": "__attribute__((noinline, aligned(64), hot)) static float a(float x) { return x; }\n"
    + BODY % "o[0] = a(o[1]);",
    "directives": "#pragma GCC diagnostic push\n#ifdef __AVX2__\n#if 1\n#endif\n#endif\n# \n" + BODY % "o[0] = 1;",
    "digraphs_in_texts": BODY % 'const char* t = "%%:define ??= asm"; o[0] = t[n];',
    "owned": "#include <memory>\n" + BODY % "auto p = std::make_unique<float[]>(n); o[0] = p[0];",
    "shared": "#include <memory>\n"
    + BODY % "auto p = std::make_shared<int>(7); auto q = p; o[0] = *q + p.use_count();",
    "named_like_memory": 'extern "C" void memory_bound_copy(float* o) { o[0] = 1; }\n' + BODY % "memory_bound_copy(o);",
    "hash_maps": "#include <string_view>\n#include <unordered_map>\n#include <unordered_set>\n"
    + BODY
    % 'std::unordered_map<std::string_view, int> t; t[n > 2 ? "a" : "b"] = 2; '
    "std::unordered_set<float> s(o, o + n); s.erase(3); o[0] = t.size() + s.size();",
    "trees": "#include <map>\n#include <set>\n"
    + BODY
    % "std::map<int64_t, float> t; for (int64_t i = 0; i < n; ++i) t[-i] += o[i]; t.erase(0); "
    "std::multiset<float> s(o, o + n); o[0] = t.rbegin()->second + *s.begin();",
    "lists": "#include <deque>\n#include <forward_list>\n#include <list>\n#include <queue>\n#include <stack>\n"
    + BODY
    % "std::list<float> a(o, o + n), b; a.sort(); a.reverse(); b.splice(b.begin(), a, a.begin()); b.swap(a); "
    "std::deque<float> d(o, o + n); std::priority_queue<float> q; q.push(d.front()); std::stack<float> s; "
    "s.push(q.top()); std::forward_list<float> f{s.top()}; a.pop_back(); o[0] = f.front() + a.size() + b.size();",
    "types": "#include <bitset>\n#include <cinttypes>\n#include <concepts>\n#include <inttypes.h>\n#include <ratio>\n"
    "#include <stdbool.h>\n#include <optional>\n#include <variant>\n"
    + BODY
    % "std::variant<int, float> v = 1.5f; if (n & 1) v = 3; std::optional<int> w; if (n > 1) w = 2; "
    "bool one = std::bitset<8>(n).count() == 1; "
    "o[0] = std::visit([](auto x) { return float(x); }, v) + w.value() + one + std::ratio<1, 2>::den;",
    "plain_c": "#include <cstdlib>\n" + BODY % "float* p = (float*)malloc(4 * n); p[0] = 1; o[0] = p[0]; free(p);",
    "remainders": "#include <cmath>\n"
    + BODY % "long double a = n; o[0] = std::fmod(a, 3.0L) + std::remainder(a, 7.0L) + (std::floor(a) < o[1]);",
    "macros_of_headers": "#include <cassert>\n#include <climits>\n#include <cmath>\n#include <cstddef>\n"
    "struct S { char a; int b; };\nstatic __always_inline float twice(float x) { return 2 * x; }\n"
    + BODY
    % "assert(n > 0); if (o[0] == INFINITY || std::isnan(o[1])) o[0] = NAN; o[0] = M_PI + INT64_C(5) + "
    "offsetof(S, b) + (n == INT_MAX) + twice(o[1]); int* p = NULL; o[1] = p == nullptr;",
    "intrinsics": "#include <cmath>\n#ifdef __AVX2__\n#include <immintrin.h>\n#endif\n"
    + BODY
    % "\n#ifdef __AVX2__\n__m128 a = _mm_shuffle_ps(_mm_loadu_ps(o), _mm_set1_ps(2), _MM_SHUFFLE(1, 0, 3, 2));"
    "_mm_storeu_ps(o, a); _mm_prefetch((const char*)o, _MM_HINT_T0);\n#endif\no[0] = 1;",
    "pragma_amid_a_line": "static void g(float* o, int64_t n) { "
    '_Pragma("GCC unroll 4") for (int64_t i = 0; i < n; ++i) o[i] = 2; }\n' + BODY % "g(o, n);",
    "letters_in_comments": "// gr\u00f6\u00dfer \u2014 \ud83d\ude00\n" + BODY % "/* \u221a */ o[0] = 1; // \u2264 1\n",
    "pragmas_of_macros": "#define EACH(x) _Pragma(#x)\n"
    + BODY
    % "EACH(omp simd) for (int64_t i = 0; i < n; ++i) o[i] = 2;\nEACH(GCC unroll 4)\n"
    "for (int64_t i = 0; i < n; ++i) o[i] += 2;",
    "settings_of_headers": "#define _USE_MATH_DEFINES\n#define NDEBUG\n#include <cassert>\n#include <cmath>\n"
    + BODY % "assert(n < 0); o[0] = M_PI;",
    "joined_and_quoted": "#define J(a, b) a##b\n#define TEXT(x) #x\n#if defined(J) && __cplusplus >= 201703L\n"
    + BODY % "const char* t = TEXT(5 of them); float J(as, sm) = t[0]; o[0] = assm;\n#endif\n",
    "own_names_of_sections": "__attribute__((noinline)) static float section(float x, const char* t) "
    "{ return x + t[0]; }\n" + BODY % 'o[0] = section(o[0], "a b");',
    "switch": BODY
    % "switch (n) { case 1: o[0] = 4; break; case 2: o[1] = 3; break; case 3: o[2]++; break; case 4: o[3] = 9; "
    "break; case 5: o[0] = 8; break; default: o[1] = o[0]; }",
    "numbers_with_quotes": BODY % "o[0] = 1'000 + 0x1'F + 1e+3 + '\"'; o[1] = 2'0;",
    "words_in_comments": BODY % "/* asm, static, thread, PyObject */ o[0] = 1; // dlopen\n",
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_source_that_does_more_than_compute(name: str) -> None:
    word, source = REFUSED[name]
    if IS_CLANG and name == "common":
        pytest.skip("clang has no such variables in C++")
    with pytest.raises(KernelPolicyError, match=f"(?s){word}"):
        cpp(HEAD + source)


@needs_openmp
def test_an_export_takes_no_place_of_what_the_binding_asks() -> None:
    body = "\n#pragma omp parallel for\nfor (int64_t i = 0; i < n; ++i) o[i] = 1;\n"
    with pytest.raises(KernelPolicyError, match="it defines omp_get_level"):
        cpp(HEAD + 'extern "C" int omp_get_level() { return 1; }\n' + BODY % body, threads=2)


@pytest.mark.parametrize("export", ["MAX", "rax", "select", "index"])
def test_an_export_may_have_any_other_name(export: str) -> None:
    values = torch.zeros(4)
    getattr(cpp(HEAD + (BODY % "o[n] = 1;").replace(" f(", f" {export}(")), export)(values, 2)
    assert values.tolist() == [0, 0, 1, 0]


@pytest.mark.parametrize("name", ACCEPTED)
def test_a_source_that_computes(name: str) -> None:
    values = torch.ones(4)
    cpp(HEAD + ACCEPTED[name]).f(values, 4)
    assert torch.isfinite(values).all()


KERNEL = 'extern "C" __global__ void f(float* o, int n) { %s }'
CUDA_REFUSED = {
    "device_variable": ("kept", "__device__ float kept[64];\n" + KERNEL % "o[0] = kept[n]; kept[n] = o[1];"),
    "managed_variable": ("calls", "__managed__ int calls;\n" + KERNEL % "o[0] = ++calls;"),
    "constant_that_is_written": (
        "kept",
        "__device__ const float kept[64] = {1};\n" + KERNEL % "((float*)kept)[n] = o[0];",
    ),
    "static_local": ("kept", KERNEL % "static float kept; o[0] = ++kept;"),
    "template_static": ("kept", "template <class T> __device__ T kept;\n" + KERNEL % "o[0] = ++kept<float>;"),
    "digraph_variable": ("<:4:>", "__device__ float kept<:4:>;\n" + KERNEL % "o[0] = ++kept<:n:>;"),
    "variable_in_assembly": ("outlives", KERNEL % r'asm volatile(".global .u32 kept; st.global.u32 [kept], 7;");'),
    "named_like_the_compilers": (
        "__cudart",
        "__device__ int __cudart_kept = 3;\n" + KERNEL % "o[0] = ++__cudart_kept;",
    ),
    "pasted_name": ("__cudart", "#define A __device__ int __cud##art_kept = 3\nA;\n" + KERNEL % "o[0] = 1;"),
    "device_heap": ("malloc", KERNEL % "float* p = (float*)malloc(n); o[0] = p[1]; p[2] = o[3];"),
    "device_new": ("malloc", KERNEL % "float* p = new float[n]; o[0] = p[1]; p[2] = o[3];"),
    "printing": ("printf", KERNEL % 'printf("%%d", n);'),
    "clock": ("clock", KERNEL % "o[0] = clock64();"),
    "clock_of_the_library": ("clock", KERNEL % "o[0] = n > 3 ? clock() : 0;"),
    "clock_in_assembly": (
        "clock",
        KERNEL % r'unsigned long long t; asm volatile("mov.u64 %0, %%global" "timer;" : "=l"(t)); o[0] = t;',
    ),
    "upper_half_of_a_clock": (
        "clock",
        KERNEL % r'unsigned t; asm volatile("mov.u32 %0, %%clock_hi;" : "=r"(t)); o[n] = t;',
    ),
    "counter_of_events": ("clock", KERNEL % r'unsigned t; asm volatile("mov.u32 %0, %%pm1;" : "=r"(t)); o[n] = t;'),
    "other_header": ("cublas", "#include <cublas_v2.h>\n" + KERNEL % "o[0] = 1;"),
}
CUDA_ACCEPTED = {
    "constants": "__constant__ float table[4] = {1, 2, 3, 4};\n" + KERNEL % "o[0] = table[n];",
    "trigonometry": KERNEL % "o[0] = sinf(o[1]) + powf(o[2], o[3]); double d = o[4]; o[5] = cos(d) * tgamma(d);",
    "shared": KERNEL % "__shared__ float room[32]; extern __shared__ float more[]; room[n] = more[n]; o[0] = room[1];",
    "assembly": KERNEL % r'int k; asm volatile("mov.u32 %0, %%laneid;" : "=r"(k)); o[0] = k;',
    "helpers": "template <class T> __device__ __noinline__ T twice(T x) { return x + x; }\n"
    + KERNEL % "float own[64]; for (int i = 0; i < n; ++i) own[i] = twice(o[i]); o[0] = own[n]; atomicAdd(o, 1.0f);",
}


@needs_cuda_compiler
@pytest.mark.parametrize("name", CUDA_REFUSED)
def test_device_code_that_does_more_than_compute(name: str) -> None:
    word, source = CUDA_REFUSED[name]
    with pytest.raises(KernelPolicyError, match=word):
        cuda(source)


@needs_cuda_compiler
@pytest.mark.parametrize("name", CUDA_ACCEPTED)
def test_device_code_that_computes(name: str) -> None:
    assert list(cuda(CUDA_ACCEPTED[name])) == ["f"]


def test_what_may_be_called() -> None:
    fine = (
        "expf",
        "erf",
        "_ZGVeN16v_erff",
        "memcpy",
        "_Znwm",
        "_ZdlPvm",
        "__cxa_throw",
        "__divdi3",
        "__mulsc3",
        "GOMP_parallel",
        "_ZSt11_Hash_bytesPKvmm",
        "_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base",
        "_ZNSt8__detail15_List_node_base9_M_unhookEv",
    )
    assert all(ALLOWED_CALLS.fullmatch(name) for name in (*fine, "_ZSt20__throw_length_errorPKc"))
    foreign = (
        "fork",
        "dlsym",
        "_ZNSt6thread15_M_start_threadE",
        "fopen",
        "system",
        "mmap",
        "_ZSt4cout",
        "sgemm_",
        "PyLong_AsLongLong",
        "__getpid",
        "__getdelim",
        "exit",
        "omp_get_wtime",
        "omp_get_num_procs",
        "omp_in_parallel",
        "GOMP_alloc",
        "_ZTVN2at6TensorE",
        "_ZNSt8__detail11__prime_listE",
        "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_createERmm",
        "_ZNSt6chrono3_V212system_clock3nowEv",
        "__libc_stack_end",
    )
    assert not any(ALLOWED_CALLS.fullmatch(name) for name in foreign)


def test_a_library_of_the_system_is_seen_through() -> None:
    (torch_library,) = Path(torch.__file__).parent.glob("lib/libtorch_python.so")
    with pytest.raises(KernelPolicyError):
        check_object(torch_library)


def test_ghosts_do_nothing_are_counted_and_go_away() -> None:
    library = cpp(HEAD + BODY % "for (int64_t i = 0; i < n; ++i) o[i] = 7;")
    aliased, values = library.f, torch.zeros(4)
    with ghosts() as skipped:
        library.f(values, 4)
        aliased(values, 4)
        assert skipped() == 2
    assert values.tolist() == [0.0] * 4
    aliased(values, 4)
    assert values.tolist() == [7.0] * 4
