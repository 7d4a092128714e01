//! The names that the headers and the library of C define. A C program cannot redefine them.
//!
//! Invariant: each name is listed once. The lists contain all names that the headers of standard C (up to C23) and of
//! POSIX (up to the edition of 2024) declare, except for macros that only POSIX defines. Names that begin with `_`
//! are reserved in C without being listed. What GNU's headers declare besides is in `gnu`. The tests compare the lists with the headers of the machine.

use super::gnu;

/// The part of C that defines a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Owner {
    /// A macro or a type. Where the header is included, a declaration with this name means something else.
    Headers,
    /// A function or a variable. The program would use the new definition in place of the library's.
    Library,
}

/// The part of C that defines a name, if there is one.
pub(super) fn owner(name: &str) -> Option<Owner> {
    let has = |list: &&str| list.split_ascii_whitespace().any(|known| known == name);
    if [MACROS, TYPES, gnu::GNU_HEADERS].iter().any(has) {
        Some(Owner::Headers)
    } else if name.starts_with('_') || [STANDARD, POSIX, OBJECTS, gnu::GNU].iter().any(has) {
        Some(Owner::Library)
    } else {
        None
    }
}

/// Macros of the headers of standard C, and those that compilers define before any header.
const MACROS: &str = "\
    ATOMIC_BOOL_LOCK_FREE ATOMIC_CHAR16_T_LOCK_FREE ATOMIC_CHAR32_T_LOCK_FREE ATOMIC_CHAR8_T_LOCK_FREE \
    ATOMIC_CHAR_LOCK_FREE ATOMIC_FLAG_INIT ATOMIC_INT_LOCK_FREE ATOMIC_LLONG_LOCK_FREE \
    ATOMIC_LONG_LOCK_FREE ATOMIC_POINTER_LOCK_FREE ATOMIC_SHORT_LOCK_FREE ATOMIC_VAR_INIT \
    ATOMIC_WCHAR_T_LOCK_FREE BITINT_MAXWIDTH BOOL_MAX BOOL_WIDTH BUFSIZ CHAR_BIT CHAR_MAX CHAR_MIN \
    CHAR_WIDTH CLOCKS_PER_SEC CMPLX CMPLXF CMPLXL DBL_DECIMAL_DIG DBL_DIG DBL_EPSILON DBL_HAS_SUBNORM \
    DBL_MANT_DIG DBL_MAX DBL_MAX_10_EXP DBL_MAX_EXP DBL_MIN DBL_MIN_10_EXP DBL_MIN_EXP DBL_NORM_MAX \
    DBL_SNAN DBL_TRUE_MIN DECIMAL_DIG E2BIG EACCES EADDRINUSE EADDRNOTAVAIL EADV EAFNOSUPPORT EAGAIN \
    EALREADY EBADE EBADF EBADFD EBADMSG EBADR EBADRQC EBADSLT EBFONT EBUSY ECANCELED ECHILD ECHRNG ECOMM \
    ECONNABORTED ECONNREFUSED ECONNRESET EDEADLK EDEADLOCK EDESTADDRREQ EDOM EDOTDOT EDQUOT EEXIST \
    EFAULT EFBIG EHOSTDOWN EHOSTUNREACH EHWPOISON EIDRM EILSEQ EINPROGRESS EINTR EINVAL EIO EISCONN \
    EISDIR EISNAM EKEYEXPIRED EKEYREJECTED EKEYREVOKED EL2HLT EL2NSYNC EL3HLT EL3RST ELIBACC ELIBBAD \
    ELIBEXEC ELIBMAX ELIBSCN ELNRNG ELOOP EMEDIUMTYPE EMFILE EMLINK EMSGSIZE EMULTIHOP ENAMETOOLONG \
    ENAVAIL ENETDOWN ENETRESET ENETUNREACH ENFILE ENOANO ENOBUFS ENOCSI ENODATA ENODEV ENOENT ENOEXEC \
    ENOKEY ENOLCK ENOLINK ENOMEDIUM ENOMEM ENOMSG ENONET ENOPKG ENOPROTOOPT ENOSPC ENOSR ENOSTR ENOSYS \
    ENOTBLK ENOTCONN ENOTDIR ENOTEMPTY ENOTNAM ENOTRECOVERABLE ENOTSOCK ENOTSUP ENOTTY ENOTUNIQ ENXIO \
    EOF EOPNOTSUPP EOVERFLOW EOWNERDEAD EPERM EPFNOSUPPORT EPIPE EPROTO EPROTONOSUPPORT EPROTOTYPE \
    ERANGE EREMCHG EREMOTE EREMOTEIO ERESTART ERFKILL EROFS ESHUTDOWN ESOCKTNOSUPPORT ESPIPE ESRCH \
    ESRMNT ESTALE ESTRPIPE ETIME ETIMEDOUT ETOOMANYREFS ETXTBSY EUCLEAN EUNATCH EUSERS EWOULDBLOCK EXDEV \
    EXFULL EXIT_FAILURE EXIT_SUCCESS FE_ALL_EXCEPT FE_DFL_ENV FE_DFL_MODE FE_DIVBYZERO FE_DOWNWARD \
    FE_INEXACT FE_INVALID FE_OVERFLOW FE_TONEAREST FE_TOWARDZERO FE_UNDERFLOW FE_UPWARD FILENAME_MAX \
    FLT_DECIMAL_DIG FLT_DIG FLT_EPSILON FLT_EVAL_METHOD FLT_HAS_SUBNORM FLT_MANT_DIG FLT_MAX \
    FLT_MAX_10_EXP FLT_MAX_EXP FLT_MIN FLT_MIN_10_EXP FLT_MIN_EXP FLT_NORM_MAX FLT_RADIX FLT_ROUNDS \
    FLT_SNAN FLT_TRUE_MIN FOPEN_MAX FP_ILOGB0 FP_ILOGBNAN FP_INFINITE FP_INT_DOWNWARD FP_INT_TONEAREST \
    FP_INT_TONEARESTFROMZERO FP_INT_TOWARDZERO FP_INT_UPWARD FP_LLOGB0 FP_LLOGBNAN FP_NAN FP_NORMAL \
    FP_SUBNORMAL FP_ZERO HUGE_VAL HUGE_VALF HUGE_VALL I INFINITY INT16_C INT16_MAX INT16_MIN INT16_WIDTH \
    INT32_C INT32_MAX INT32_MIN INT32_WIDTH INT64_C INT64_MAX INT64_MIN INT64_WIDTH INT8_C INT8_MAX \
    INT8_MIN INT8_WIDTH INTMAX_C INTMAX_MAX INTMAX_MIN INTMAX_WIDTH INTPTR_MAX INTPTR_MIN INTPTR_WIDTH \
    INT_FAST16_MAX INT_FAST16_MIN INT_FAST16_WIDTH INT_FAST32_MAX INT_FAST32_MIN INT_FAST32_WIDTH \
    INT_FAST64_MAX INT_FAST64_MIN INT_FAST64_WIDTH INT_FAST8_MAX INT_FAST8_MIN INT_FAST8_WIDTH \
    INT_LEAST16_MAX INT_LEAST16_MIN INT_LEAST16_WIDTH INT_LEAST32_MAX INT_LEAST32_MIN INT_LEAST32_WIDTH \
    INT_LEAST64_MAX INT_LEAST64_MIN INT_LEAST64_WIDTH INT_LEAST8_MAX INT_LEAST8_MIN INT_LEAST8_WIDTH \
    INT_MAX INT_MIN INT_WIDTH LC_ADDRESS LC_ALL LC_COLLATE LC_CTYPE LC_IDENTIFICATION LC_MEASUREMENT \
    LC_MESSAGES LC_MONETARY LC_NAME LC_NUMERIC LC_PAPER LC_TELEPHONE LC_TIME LDBL_DECIMAL_DIG LDBL_DIG \
    LDBL_EPSILON LDBL_HAS_SUBNORM LDBL_MANT_DIG LDBL_MAX LDBL_MAX_10_EXP LDBL_MAX_EXP LDBL_MIN \
    LDBL_MIN_10_EXP LDBL_MIN_EXP LDBL_NORM_MAX LDBL_SNAN LDBL_TRUE_MIN LLONG_MAX LLONG_MIN LLONG_WIDTH \
    LONG_MAX LONG_MIN LONG_WIDTH L_tmpnam MATH_ERREXCEPT MATH_ERRNO MB_CUR_MAX MB_LEN_MAX NAN \
    ONCE_FLAG_INIT PRIX16 PRIX32 PRIX64 PRIX8 PRIXFAST16 PRIXFAST32 PRIXFAST64 PRIXFAST8 PRIXLEAST16 \
    PRIXLEAST32 PRIXLEAST64 PRIXLEAST8 PRIXMAX PRIXPTR PRId16 PRId32 PRId64 PRId8 PRIdFAST16 PRIdFAST32 \
    PRIdFAST64 PRIdFAST8 PRIdLEAST16 PRIdLEAST32 PRIdLEAST64 PRIdLEAST8 PRIdMAX PRIdPTR PRIi16 PRIi32 \
    PRIi64 PRIi8 PRIiFAST16 PRIiFAST32 PRIiFAST64 PRIiFAST8 PRIiLEAST16 PRIiLEAST32 PRIiLEAST64 \
    PRIiLEAST8 PRIiMAX PRIiPTR PRIo16 PRIo32 PRIo64 PRIo8 PRIoFAST16 PRIoFAST32 PRIoFAST64 PRIoFAST8 \
    PRIoLEAST16 PRIoLEAST32 PRIoLEAST64 PRIoLEAST8 PRIoMAX PRIoPTR PRIu16 PRIu32 PRIu64 PRIu8 PRIuFAST16 \
    PRIuFAST32 PRIuFAST64 PRIuFAST8 PRIuLEAST16 PRIuLEAST32 PRIuLEAST64 PRIuLEAST8 PRIuMAX PRIuPTR \
    PRIx16 PRIx32 PRIx64 PRIx8 PRIxFAST16 PRIxFAST32 PRIxFAST64 PRIxFAST8 PRIxLEAST16 PRIxLEAST32 \
    PRIxLEAST64 PRIxLEAST8 PRIxMAX PRIxPTR PTRDIFF_MAX PTRDIFF_MIN PTRDIFF_WIDTH RAND_MAX SCHAR_MAX \
    SCHAR_MIN SCHAR_WIDTH SCNd16 SCNd32 SCNd64 SCNd8 SCNdFAST16 SCNdFAST32 SCNdFAST64 SCNdFAST8 \
    SCNdLEAST16 SCNdLEAST32 SCNdLEAST64 SCNdLEAST8 SCNdMAX SCNdPTR SCNi16 SCNi32 SCNi64 SCNi8 SCNiFAST16 \
    SCNiFAST32 SCNiFAST64 SCNiFAST8 SCNiLEAST16 SCNiLEAST32 SCNiLEAST64 SCNiLEAST8 SCNiMAX SCNiPTR \
    SCNo16 SCNo32 SCNo64 SCNo8 SCNoFAST16 SCNoFAST32 SCNoFAST64 SCNoFAST8 SCNoLEAST16 SCNoLEAST32 \
    SCNoLEAST64 SCNoLEAST8 SCNoMAX SCNoPTR SCNu16 SCNu32 SCNu64 SCNu8 SCNuFAST16 SCNuFAST32 SCNuFAST64 \
    SCNuFAST8 SCNuLEAST16 SCNuLEAST32 SCNuLEAST64 SCNuLEAST8 SCNuMAX SCNuPTR SCNx16 SCNx32 SCNx64 SCNx8 \
    SCNxFAST16 SCNxFAST32 SCNxFAST64 SCNxFAST8 SCNxLEAST16 SCNxLEAST32 SCNxLEAST64 SCNxLEAST8 SCNxMAX \
    SCNxPTR SEEK_CUR SEEK_END SEEK_SET SHRT_MAX SHRT_MIN SHRT_WIDTH SIGABRT SIGALRM SIGBUS SIGCHLD \
    SIGCLD SIGCONT SIGFPE SIGHUP SIGILL SIGINT SIGIO SIGIOT SIGKILL SIGPIPE SIGPOLL SIGPROF SIGPWR \
    SIGQUIT SIGRTMAX SIGRTMIN SIGSEGV SIGSTKFLT SIGSTOP SIGSYS SIGTERM SIGTRAP SIGTSTP SIGTTIN SIGTTOU \
    SIGURG SIGUSR1 SIGUSR2 SIGVTALRM SIGWINCH SIGXCPU SIGXFSZ SIG_ATOMIC_MAX SIG_ATOMIC_MIN \
    SIG_ATOMIC_WIDTH SIG_DFL SIG_ERR SIG_IGN SIZE_MAX SIZE_WIDTH TIME_UTC TMP_MAX TSS_DTOR_ITERATIONS \
    UCHAR_MAX UCHAR_WIDTH UINT16_C UINT16_MAX UINT16_WIDTH UINT32_C UINT32_MAX UINT32_WIDTH UINT64_C \
    UINT64_MAX UINT64_WIDTH UINT8_C UINT8_MAX UINT8_WIDTH UINTMAX_C UINTMAX_MAX UINTMAX_WIDTH \
    UINTPTR_MAX UINTPTR_WIDTH UINT_FAST16_MAX UINT_FAST16_WIDTH UINT_FAST32_MAX UINT_FAST32_WIDTH \
    UINT_FAST64_MAX UINT_FAST64_WIDTH UINT_FAST8_MAX UINT_FAST8_WIDTH UINT_LEAST16_MAX \
    UINT_LEAST16_WIDTH UINT_LEAST32_MAX UINT_LEAST32_WIDTH UINT_LEAST64_MAX UINT_LEAST64_WIDTH \
    UINT_LEAST8_MAX UINT_LEAST8_WIDTH UINT_MAX UINT_WIDTH ULLONG_MAX ULLONG_WIDTH ULONG_MAX ULONG_WIDTH \
    USHRT_MAX USHRT_WIDTH WCHAR_MAX WCHAR_MIN WCHAR_WIDTH WEOF WINT_MAX WINT_MIN WINT_WIDTH assert \
    atomic_compare_exchange_strong atomic_compare_exchange_strong_explicit atomic_compare_exchange_weak \
    atomic_compare_exchange_weak_explicit atomic_exchange atomic_exchange_explicit atomic_fetch_add \
    atomic_fetch_add_explicit atomic_fetch_and atomic_fetch_and_explicit atomic_fetch_or \
    atomic_fetch_or_explicit atomic_fetch_sub atomic_fetch_sub_explicit atomic_fetch_xor \
    atomic_fetch_xor_explicit atomic_init atomic_is_lock_free atomic_load atomic_load_explicit \
    atomic_store atomic_store_explicit complex fpclassify i386 iscanonical iseqsig isfinite isgreater \
    isgreaterequal isinf isless islessequal islessgreater isnan isnormal issignaling issubnormal \
    isunordered iszero kill_dependency linux math_errhandling noreturn offsetof signbit unix unreachable \
    va_arg va_copy va_end va_start";

/// Types of the headers of standard C and of POSIX.
const TYPES: &str = "\
    ACTION DIR ENTRY FILE VISIT atomic_bool atomic_char atomic_char16_t atomic_char32_t atomic_char8_t \
    atomic_flag atomic_int atomic_int_fast16_t atomic_int_fast32_t atomic_int_fast64_t \
    atomic_int_fast8_t atomic_int_least16_t atomic_int_least32_t atomic_int_least64_t \
    atomic_int_least8_t atomic_intmax_t atomic_intptr_t atomic_llong atomic_long atomic_ptrdiff_t \
    atomic_schar atomic_short atomic_size_t atomic_uchar atomic_uint atomic_uint_fast16_t \
    atomic_uint_fast32_t atomic_uint_fast64_t atomic_uint_fast8_t atomic_uint_least16_t \
    atomic_uint_least32_t atomic_uint_least64_t atomic_uint_least8_t atomic_uintmax_t atomic_uintptr_t \
    atomic_ullong atomic_ulong atomic_ushort atomic_wchar_t blkcnt_t blksize_t cc_t char16_t char32_t \
    char8_t clock_t clockid_t cnd_t dev_t div_t double_t fd_set femode_t fenv_t fexcept_t float_t fpos_t \
    fsblkcnt_t fsfilcnt_t gid_t glob_t iconv_t id_t idtype_t imaxdiv_t in_addr_t in_port_t ino_t int16_t \
    int32_t int64_t int8_t int_fast16_t int_fast32_t int_fast64_t int_fast8_t int_least16_t \
    int_least32_t int_least64_t int_least8_t intmax_t intptr_t jmp_buf key_t ldiv_t lldiv_t locale_t \
    max_align_t mbstate_t mcontext_t memory_order mode_t mqd_t msgqnum_t mtx_t nfds_t nl_catd nl_item \
    nlink_t nullptr_t off_t once_flag pid_t posix_spawn_file_actions_t posix_spawnattr_t pthread_attr_t \
    pthread_barrier_t pthread_barrierattr_t pthread_cond_t pthread_condattr_t pthread_key_t \
    pthread_mutex_t pthread_mutexattr_t pthread_once_t pthread_rwlock_t pthread_rwlockattr_t \
    pthread_spinlock_t pthread_t ptrdiff_t regex_t register_t regmatch_t regoff_t rlim_t sa_family_t \
    sem_t shmatt_t sig_atomic_t sigevent_t siginfo_t sigjmp_buf sigset_t size_t socklen_t speed_t \
    ssize_t stack_t suseconds_t tcflag_t thrd_start_t thrd_t time_t timer_t tss_dtor_t tss_t ucontext_t \
    uid_t uint16_t uint32_t uint64_t uint8_t uint_fast16_t uint_fast32_t uint_fast64_t uint_fast8_t \
    uint_least16_t uint_least32_t uint_least64_t uint_least8_t uintmax_t uintptr_t useconds_t va_list \
    wctrans_t wctype_t wint_t wordexp_t";

/// Functions of standard C, up to C23.
const STANDARD: &str = "\
    abort abs acos acosf acosh acoshf acoshl acosl acospi acospif acospil aligned_alloc asctime asin \
    asinf asinh asinhf asinhl asinl asinpi asinpif asinpil at_quick_exit atan atan2 atan2f atan2l \
    atan2pi atan2pif atan2pil atanf atanh atanhf atanhl atanl atanpi atanpif atanpil atexit atof atoi \
    atol atoll atomic_flag_clear atomic_flag_clear_explicit atomic_flag_test_and_set \
    atomic_flag_test_and_set_explicit atomic_signal_fence atomic_thread_fence bsearch btowc c16rtomb \
    c32rtomb c8rtomb cabs cabsf cabsl cacos cacosf cacosh cacoshf cacoshl cacosl call_once calloc \
    canonicalize canonicalizef canonicalizel carg cargf cargl casin casinf casinh casinhf casinhl casinl \
    catan catanf catanh catanhf catanhl catanl cbrt cbrtf cbrtl ccos ccosf ccosh ccoshf ccoshl ccosl \
    ceil ceilf ceill cexp cexpf cexpl cimag cimagf cimagl clearerr clock clog clogf clogl cnd_broadcast \
    cnd_destroy cnd_init cnd_signal cnd_timedwait cnd_wait compoundn compoundnf compoundnl conj conjf \
    conjl copysign copysignf copysignl cos cosf cosh coshf coshl cosl cospi cospif cospil cpow cpowf \
    cpowl cproj cprojf cprojl creal crealf creall csin csinf csinh csinhf csinhl csinl csqrt csqrtf \
    csqrtl ctan ctanf ctanh ctanhf ctanhl ctanl ctime daddl ddivl dfmal difftime div dmull dsqrtl dsubl \
    erf erfc erfcf erfcl erff erfl exit exp exp10 exp10f exp10l exp10m1 exp10m1f exp10m1l exp2 exp2f \
    exp2l exp2m1 exp2m1f exp2m1l expf expl expm1 expm1f expm1l fabs fabsf fabsl fadd faddl fclose fdim \
    fdimf fdiml fdiv fdivl feclearexcept fegetenv fegetexceptflag fegetmode fegetround feholdexcept feof \
    feraiseexcept ferror fesetenv fesetexcept fesetexceptflag fesetmode fesetround fetestexcept \
    fetestexceptflag feupdateenv fflush ffma ffmal fgetc fgetpos fgets fgetwc fgetws floor floorf floorl \
    fma fmaf fmal fmax fmaxf fmaximum fmaximum_mag fmaximum_mag_num fmaximum_mag_numf fmaximum_mag_numl \
    fmaximum_magf fmaximum_magl fmaximum_num fmaximum_numf fmaximum_numl fmaximumf fmaximuml fmaxl \
    fmaxmag fmaxmagf fmaxmagl fmin fminf fminimum fminimum_mag fminimum_mag_num fminimum_mag_numf \
    fminimum_mag_numl fminimum_magf fminimum_magl fminimum_num fminimum_numf fminimum_numl fminimumf \
    fminimuml fminl fminmag fminmagf fminmagl fmod fmodf fmodl fmul fmull fopen fprintf fputc fputs \
    fputwc fputws fread free free_aligned_sized free_sized freopen frexp frexpf frexpl fromfp fromfpf \
    fromfpl fromfpx fromfpxf fromfpxl fscanf fseek fsetpos fsqrt fsqrtl fsub fsubl ftell fwide fwprintf \
    fwrite fwscanf getc getchar getenv getpayload getpayloadf getpayloadl getwc getwchar gmtime gmtime_r \
    hypot hypotf hypotl ilogb ilogbf ilogbl imaxabs imaxdiv isalnum isalpha isblank iscntrl isdigit \
    isgraph islower isprint ispunct isspace isupper iswalnum iswalpha iswblank iswcntrl iswctype \
    iswdigit iswgraph iswlower iswprint iswpunct iswspace iswupper iswxdigit isxdigit labs ldexp ldexpf \
    ldexpl ldiv lgamma lgammaf lgammal llabs lldiv llogb llogbf llogbl llrint llrintf llrintl llround \
    llroundf llroundl localeconv localtime localtime_r log log10 log10f log10l log10p1 log10p1f log10p1l \
    log1p log1pf log1pl log2 log2f log2l log2p1 log2p1f log2p1l logb logbf logbl logf logl logp1 logp1f \
    logp1l longjmp lrint lrintf lrintl lround lroundf lroundl malloc mblen mbrlen mbrtoc16 mbrtoc32 \
    mbrtoc8 mbrtowc mbsinit mbsrtowcs mbstowcs mbtowc memalignment memccpy memchr memcmp memcpy memmove \
    memset memset_explicit mktime modf modff modfl mtx_destroy mtx_init mtx_lock mtx_timedlock \
    mtx_trylock mtx_unlock nan nanf nanl nearbyint nearbyintf nearbyintl nextafter nextafterf nextafterl \
    nextdown nextdownf nextdownl nexttoward nexttowardf nexttowardl nextup nextupf nextupl perror pow \
    powf powl pown pownf pownl powr powrf powrl printf putc putchar puts putwc putwchar qsort quick_exit \
    raise rand realloc remainder remainderf remainderl remove remquo remquof remquol rename rewind rint \
    rintf rintl rootn rootnf rootnl round roundeven roundevenf roundevenl roundf roundl rsqrt rsqrtf \
    rsqrtl scalbln scalblnf scalblnl scalbn scalbnf scalbnl scanf setbuf setjmp setlocale setpayload \
    setpayloadf setpayloadl setpayloadsig setpayloadsigf setpayloadsigl setvbuf signal sin sinf sinh \
    sinhf sinhl sinl sinpi sinpif sinpil snprintf sprintf sqrt sqrtf sqrtl srand sscanf stdc_bit_ceil \
    stdc_bit_ceil_uc stdc_bit_ceil_ui stdc_bit_ceil_ul stdc_bit_ceil_ull stdc_bit_ceil_us stdc_bit_floor \
    stdc_bit_floor_uc stdc_bit_floor_ui stdc_bit_floor_ul stdc_bit_floor_ull stdc_bit_floor_us \
    stdc_bit_width stdc_bit_width_uc stdc_bit_width_ui stdc_bit_width_ul stdc_bit_width_ull \
    stdc_bit_width_us stdc_count_ones stdc_count_ones_uc stdc_count_ones_ui stdc_count_ones_ul \
    stdc_count_ones_ull stdc_count_ones_us stdc_count_zeros stdc_count_zeros_uc stdc_count_zeros_ui \
    stdc_count_zeros_ul stdc_count_zeros_ull stdc_count_zeros_us stdc_first_leading_one \
    stdc_first_leading_one_uc stdc_first_leading_one_ui stdc_first_leading_one_ul \
    stdc_first_leading_one_ull stdc_first_leading_one_us stdc_first_leading_zero \
    stdc_first_leading_zero_uc stdc_first_leading_zero_ui stdc_first_leading_zero_ul \
    stdc_first_leading_zero_ull stdc_first_leading_zero_us stdc_first_trailing_one \
    stdc_first_trailing_one_uc stdc_first_trailing_one_ui stdc_first_trailing_one_ul \
    stdc_first_trailing_one_ull stdc_first_trailing_one_us stdc_first_trailing_zero \
    stdc_first_trailing_zero_uc stdc_first_trailing_zero_ui stdc_first_trailing_zero_ul \
    stdc_first_trailing_zero_ull stdc_first_trailing_zero_us stdc_has_single_bit stdc_has_single_bit_uc \
    stdc_has_single_bit_ui stdc_has_single_bit_ul stdc_has_single_bit_ull stdc_has_single_bit_us \
    stdc_leading_ones stdc_leading_ones_uc stdc_leading_ones_ui stdc_leading_ones_ul \
    stdc_leading_ones_ull stdc_leading_ones_us stdc_leading_zeros stdc_leading_zeros_uc \
    stdc_leading_zeros_ui stdc_leading_zeros_ul stdc_leading_zeros_ull stdc_leading_zeros_us \
    stdc_trailing_ones stdc_trailing_ones_uc stdc_trailing_ones_ui stdc_trailing_ones_ul \
    stdc_trailing_ones_ull stdc_trailing_ones_us stdc_trailing_zeros stdc_trailing_zeros_uc \
    stdc_trailing_zeros_ui stdc_trailing_zeros_ul stdc_trailing_zeros_ull stdc_trailing_zeros_us strcat \
    strchr strcmp strcoll strcpy strcspn strdup strerror strfromd strfromf strfroml strftime strlen \
    strncat strncmp strncpy strndup strpbrk strrchr strspn strstr strtod strtof strtoimax strtok strtol \
    strtold strtoll strtoul strtoull strtoumax strxfrm swprintf swscanf system tan tanf tanh tanhf tanhl \
    tanl tanpi tanpif tanpil tgamma tgammaf tgammal thrd_create thrd_current thrd_detach thrd_equal \
    thrd_exit thrd_join thrd_sleep thrd_yield time timegm timespec_get timespec_getres tmpfile tmpnam \
    tolower totalorder totalorderf totalorderl totalordermag totalordermagf totalordermagl toupper \
    towctrans towlower towupper trunc truncf truncl tss_create tss_delete tss_get tss_set ufromfp \
    ufromfpf ufromfpl ufromfpx ufromfpxf ufromfpxl ungetc ungetwc vfprintf vfscanf vfwprintf vfwscanf \
    vprintf vscanf vsnprintf vsprintf vsscanf vswprintf vswscanf vwprintf vwscanf wcrtomb wcscat wcschr \
    wcscmp wcscoll wcscpy wcscspn wcsftime wcslen wcsncat wcsncmp wcsncpy wcspbrk wcsrchr wcsrtombs \
    wcsspn wcsstr wcstod wcstof wcstoimax wcstok wcstol wcstold wcstoll wcstombs wcstoul wcstoull \
    wcstoumax wcsxfrm wctob wctomb wctrans wctype wmemchr wmemcmp wmemcpy wmemmove wmemset wprintf \
    wscanf";

/// Functions of POSIX, up to the edition of 2024, with the extensions of X/Open.
const POSIX: &str = "\
    a64l accept accept4 access aio_cancel aio_error aio_fsync aio_read aio_return aio_suspend aio_write \
    alarm alphasort asctime_r asprintf bind bind_textdomain_codeset bindtextdomain catclose catgets \
    catopen cfgetispeed cfgetospeed cfsetispeed cfsetospeed chdir chmod chown clock_getcpuclockid \
    clock_getres clock_gettime clock_nanosleep clock_settime close closedir closelog confstr connect \
    creat crypt ctermid ctime_r dbm_clearerr dbm_close dbm_delete dbm_error dbm_fetch dbm_firstkey \
    dbm_nextkey dbm_open dbm_store dcgettext dcgettext_l dcngettext dcngettext_l dgettext dgettext_l \
    dirfd dirname dladdr dlclose dlerror dlopen dlsym dngettext dngettext_l dprintf drand48 dup dup2 \
    dup3 duplocale encrypt endgrent endhostent endnetent endprotoent endpwent endservent endutxent \
    erand48 execl execle execlp execv execve execvp faccessat fattach fchdir fchmod fchmodat fchown \
    fchownat fcntl fdatasync fdetach fdopen fdopendir fexecve ffs ffsl ffsll fileno flockfile fmemopen \
    fmtmsg fnmatch fork fpathconf freeaddrinfo freelocale fseeko fstat fstatat fstatvfs fsync ftello \
    ftok ftruncate ftrylockfile ftw funlockfile futimens gai_strerror getaddrinfo getc_unlocked \
    getchar_unlocked getcwd getdate getdelim getegid getentropy geteuid getgid getgrent getgrgid \
    getgrgid_r getgrnam getgrnam_r getgroups gethostbyaddr gethostbyname gethostent gethostid \
    gethostname getitimer getline getlocalename_l getlogin getlogin_r getmsg getnameinfo getnetbyaddr \
    getnetbyname getnetent getopt getpeername getpgid getpgrp getpid getpmsg getppid getpriority \
    getprotobyname getprotobynumber getprotoent getpwent getpwnam getpwnam_r getpwuid getpwuid_r \
    getresgid getresuid getrlimit getrusage getservbyname getservbyport getservent getsid getsockname \
    getsockopt getsubopt gettext gettext_l gettimeofday getuid getutxent getutxid getutxline glob \
    globfree grantpt hcreate hdestroy hsearch htonl htons iconv iconv_close iconv_open if_freenameindex \
    if_indextoname if_nameindex if_nametoindex inet_addr inet_lnaof inet_makeaddr inet_netof \
    inet_network inet_ntoa inet_ntop inet_pton initstate insque isalnum_l isalpha_l isascii isastream \
    isatty isblank_l iscntrl_l isdigit_l isgraph_l islower_l isprint_l ispunct_l isspace_l isupper_l \
    iswalnum_l iswalpha_l iswblank_l iswcntrl_l iswctype_l iswdigit_l iswgraph_l iswlower_l iswprint_l \
    iswpunct_l iswspace_l iswupper_l iswxdigit_l isxdigit_l j0 j1 jn jrand48 kill killpg l64a lchown \
    lcong48 lfind link linkat lio_listio listen lockf lrand48 lsearch lseek lstat mbsnrtowcs memmem \
    mkdir mkdirat mkdtemp mkfifo mkfifoat mknod mknodat mkostemp mkstemp mlock mlockall mmap mprotect \
    mq_close mq_getattr mq_notify mq_open mq_receive mq_send mq_setattr mq_timedreceive mq_timedsend \
    mq_unlink mrand48 msgctl msgget msgrcv msgsnd msync munlock munlockall munmap nanosleep newlocale \
    nftw ngettext ngettext_l nice nl_langinfo nl_langinfo_l nrand48 ntohl ntohs open open_memstream \
    open_wmemstream openat opendir openlog pathconf pause pclose pipe pipe2 poll popen posix_close \
    posix_devctl posix_fadvise posix_fallocate posix_getdents posix_madvise posix_mem_offset \
    posix_memalign posix_openpt posix_spawn posix_spawn_file_actions_addchdir \
    posix_spawn_file_actions_addclose posix_spawn_file_actions_adddup2 \
    posix_spawn_file_actions_addfchdir posix_spawn_file_actions_addopen posix_spawn_file_actions_destroy \
    posix_spawn_file_actions_init posix_spawnattr_destroy posix_spawnattr_getflags \
    posix_spawnattr_getpgroup posix_spawnattr_getschedparam posix_spawnattr_getschedpolicy \
    posix_spawnattr_getsigdefault posix_spawnattr_getsigmask posix_spawnattr_init \
    posix_spawnattr_setflags posix_spawnattr_setpgroup posix_spawnattr_setschedparam \
    posix_spawnattr_setschedpolicy posix_spawnattr_setsigdefault posix_spawnattr_setsigmask posix_spawnp \
    posix_trace_attr_init posix_typed_mem_get_info posix_typed_mem_open ppoll pread pselect psiginfo \
    psignal pthread_atfork pthread_attr_destroy pthread_attr_getdetachstate pthread_attr_getguardsize \
    pthread_attr_getinheritsched pthread_attr_getschedparam pthread_attr_getschedpolicy \
    pthread_attr_getscope pthread_attr_getstack pthread_attr_getstackaddr pthread_attr_getstacksize \
    pthread_attr_init pthread_attr_setdetachstate pthread_attr_setguardsize pthread_attr_setinheritsched \
    pthread_attr_setschedparam pthread_attr_setschedpolicy pthread_attr_setscope pthread_attr_setstack \
    pthread_attr_setstackaddr pthread_attr_setstacksize pthread_barrier_destroy pthread_barrier_init \
    pthread_barrier_wait pthread_barrierattr_destroy pthread_barrierattr_getpshared \
    pthread_barrierattr_init pthread_barrierattr_setpshared pthread_cancel pthread_cond_broadcast \
    pthread_cond_clockwait pthread_cond_destroy pthread_cond_init pthread_cond_signal \
    pthread_cond_timedwait pthread_cond_wait pthread_condattr_destroy pthread_condattr_getclock \
    pthread_condattr_getpshared pthread_condattr_init pthread_condattr_setclock \
    pthread_condattr_setpshared pthread_create pthread_detach pthread_equal pthread_exit \
    pthread_getconcurrency pthread_getcpuclockid pthread_getschedparam pthread_getspecific pthread_join \
    pthread_key_create pthread_key_delete pthread_kill pthread_mutex_clocklock pthread_mutex_consistent \
    pthread_mutex_destroy pthread_mutex_getprioceiling pthread_mutex_init pthread_mutex_lock \
    pthread_mutex_setprioceiling pthread_mutex_timedlock pthread_mutex_trylock pthread_mutex_unlock \
    pthread_mutexattr_destroy pthread_mutexattr_getprioceiling pthread_mutexattr_getprotocol \
    pthread_mutexattr_getpshared pthread_mutexattr_getrobust pthread_mutexattr_gettype \
    pthread_mutexattr_init pthread_mutexattr_setprioceiling pthread_mutexattr_setprotocol \
    pthread_mutexattr_setpshared pthread_mutexattr_setrobust pthread_mutexattr_settype pthread_once \
    pthread_rwlock_clockrdlock pthread_rwlock_clockwrlock pthread_rwlock_destroy pthread_rwlock_init \
    pthread_rwlock_rdlock pthread_rwlock_timedrdlock pthread_rwlock_timedwrlock pthread_rwlock_tryrdlock \
    pthread_rwlock_trywrlock pthread_rwlock_unlock pthread_rwlock_wrlock pthread_rwlockattr_destroy \
    pthread_rwlockattr_getkind_np pthread_rwlockattr_getpshared pthread_rwlockattr_init \
    pthread_rwlockattr_setkind_np pthread_rwlockattr_setpshared pthread_self pthread_setcancelstate \
    pthread_setcanceltype pthread_setconcurrency pthread_setschedparam pthread_setschedprio \
    pthread_setspecific pthread_sigmask pthread_spin_destroy pthread_spin_init pthread_spin_lock \
    pthread_spin_trylock pthread_spin_unlock pthread_testcancel ptsname putc_unlocked putchar_unlocked \
    putenv putmsg putpmsg pututxline pwrite qsort_r rand_r random read readdir readdir_r readlink \
    readlinkat readv reallocarray realpath recv recvfrom recvmsg regcomp regerror regexec regfree remque \
    renameat rewinddir rmdir scandir sched_get_priority_max sched_get_priority_min sched_getparam \
    sched_getscheduler sched_rr_get_interval sched_setparam sched_setscheduler sched_yield secure_getenv \
    seed48 seekdir select sem_clockwait sem_close sem_destroy sem_getvalue sem_init sem_open sem_post \
    sem_timedwait sem_trywait sem_unlink sem_wait semctl semget semop send sendmsg sendto setegid setenv \
    seteuid setgid setgrent sethostent setitimer setkey setlogmask setnetent setpgid setpgrp setpriority \
    setprotoent setpwent setregid setresgid setresuid setreuid setrlimit setservent setsid setsockopt \
    setstate setuid setutxent shm_open shm_unlink shmat shmctl shmdt shmget shutdown sig2str sigaction \
    sigaddset sigaltstack sigdelset sigemptyset sigfillset sighold sigignore siginterrupt sigismember \
    siglongjmp sigpause sigpending sigprocmask sigqueue sigrelse sigset sigsuspend sigtimedwait sigwait \
    sigwaitinfo sleep sockatmark socket socketpair srand48 srandom stat statvfs stpcpy stpncpy str2sig \
    strcasecmp strcasecmp_l strcoll_l strerror_l strerror_r strfmon strfmon_l strftime_l strlcat strlcpy \
    strncasecmp strncasecmp_l strnlen strptime strsignal strtok_r strxfrm_l swab symlink symlinkat sync \
    sysconf syslog tcdrain tcflow tcflush tcgetattr tcgetpgrp tcgetsid tcgetwinsize tcsendbreak \
    tcsetattr tcsetpgrp tcsetwinsize tdelete telldir tempnam textdomain tfind timer_create timer_delete \
    timer_getoverrun timer_gettime timer_settime times toascii tolower_l toupper_l towctrans_l \
    towlower_l towupper_l truncate tsearch ttyname ttyname_r twalk tzset ulimit umask uname unlink \
    unlinkat unlockpt unsetenv uselocale utime utimensat utimes vasprintf vdprintf wait waitid waitpid \
    wcpcpy wcpncpy wcscasecmp wcscasecmp_l wcscoll_l wcsdup wcslcat wcslcpy wcsncasecmp wcsncasecmp_l \
    wcsnlen wcsnrtombs wcswcs wcswidth wcsxfrm_l wctrans_l wctype_l wcwidth wordexp wordfree write \
    writev y0 y1 yn";

/// Variables of standard C, of POSIX and of the code that starts a program.
const OBJECTS: &str = "\
    data_start daylight environ errno getdate_err in6addr_any in6addr_loopback optarg opterr optind \
    optopt program_invocation_name program_invocation_short_name signgam stderr stdin stdout timezone \
    tzname";

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::process::Command;

    use super::*;

    /// The headers of standard C that C17 has.
    const C: &str = "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal \
        stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string threads time uchar \
        wchar wctype";

    /// The headers that POSIX adds.
    const ADDED: &str = "aio arpa/inet cpio dirent dlfcn fcntl fmtmsg fnmatch ftw glob grp iconv langinfo \
        libgen monetary mqueue net/if netdb netinet/in netinet/tcp nl_types poll pthread pwd regex sched \
        search semaphore spawn strings sys/ipc sys/mman sys/msg sys/resource sys/select sys/sem sys/shm \
        sys/socket sys/stat sys/statvfs sys/time sys/times sys/types sys/uio sys/un sys/utsname sys/wait \
        syslog tar termios ulimit unistd utime utmpx wordexp";

    /// The output of gcc about headers.
    fn gcc(headers: &str, options: &[&str]) -> String {
        let folder = tempfile::tempdir().expect("a folder for a test");
        let source = folder.path().join("headers.c");
        let text: String = headers
            .split_ascii_whitespace()
            .map(|name| format!("#if __has_include(<{name}.h>)\n#include <{name}.h>\n#endif\n"))
            .collect();
        std::fs::write(&source, text).expect("a file for a test");
        let mut command = Command::new("gcc");
        let output = command.args(options).arg(&source).output().expect("gcc is there");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn missing(names: BTreeSet<&str>) -> Vec<&str> {
        names.into_iter().filter(|name| owner(name).is_none()).collect()
    }

    /// `extern int atoi (const char *);`, `extern void (*signal (int, void (*)(int)))(int);`
    fn declared(line: &str) -> Option<&str> {
        let code = line.rsplit_once("*/").map_or(line, |(_, code)| code);
        let before = code.split(" (").map(|part| {
            let start = part.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            &part[start.map_or(0, |start| start + 1)..]
        });
        before.into_iter().find(|name| !["void", "int", "char", "long", "double"].contains(name))
    }

    #[test]
    fn the_functions_of_this_machines_headers_are_listed() {
        let both = format!("{C} {ADDED}");
        let options =
            ["-std=c17", "-D_XOPEN_SOURCE=700", "-fsyntax-only", "-aux-info", "/dev/stdout"];
        let text = gcc(&both, &options);
        let names = text.lines().filter_map(declared).filter(|name| !name.is_empty());
        let names: BTreeSet<&str> = names.collect();
        assert!(names.contains("pthread_create") && names.contains("signal"), "{}", names.len());
        assert_eq!(missing(names), Vec::<&str>::new());
    }

    #[test]
    fn the_macros_of_this_machines_headers_are_listed() {
        let text = gcc(C, &["-std=c17", "-E", "-dM"]);
        let name = |line: &'_ str| line.split([' ', '(']).nth(1).map(str::to_owned);
        let names: Vec<String> = text.lines().filter_map(name).collect();
        let words = super::super::WORDS;
        let names = names.iter().map(String::as_str).filter(|name| !words.contains(name)).collect();
        assert_eq!(missing(names), Vec::<&str>::new());
    }

    #[test]
    fn each_name_stands_once() {
        let mut names: Vec<&str> = [MACROS, TYPES, STANDARD, POSIX, OBJECTS]
            .iter()
            .flat_map(|list| list.split_ascii_whitespace())
            .collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        for name in
            ["_start", "environ", "errno", "stdin", "read", "printf", "size_t", "EOF", "unix"]
        {
            assert!(owner(name).is_some(), "{name}");
        }
        assert_eq!(owner("normalize"), None);
    }
}
