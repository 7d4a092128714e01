//! The names that GNU's headers declare beyond standard C and POSIX, as they do for compilers by default.
//!
//! Invariant: no name of the other lists is here.
//!
//! ```text
//! gamma   index   error   bcopy
//! ```

/// Macros in small letters and types that only GNU's headers define, and the struct that those of C++ call `tm`.
pub(super) const GNU_HEADERS: &str = "\
    Dl_info Dl_serinfo Dl_serpath Lmid_t active_reg_t alloca assert_perror basename be16toh be32toh be64toh \
    blkcnt64_t caddr_t clrbit comparison_fn_t cookie_io_functions_t cpu_set_t d_fileno dadd daddr_t ddiv \
    dfma dmul dsqrt dsub epoll_data_t error_t fd_mask fpos64_t fpregset_t fsblkcnt64_t fsfilcnt64_t fsid_t \
    glob64_t greg_t h_addr h_errno howmany htobe16 htobe32 htole16 htole32 ifa_broadaddr ifa_dstaddr ifa_ifu \
    ino64_t isascii_l isclr isset le16toh le32toh le64toh linux loff_t no_argument off64_t optional_argument \
    powerof2 pthread_cleanup_pop pthread_cleanup_pop_restore_np pthread_cleanup_push \
    pthread_cleanup_push_defer_np quad_t reg_errcode_t reg_syntax_t required_argument rlim64_t roundup \
    s6_addr s6_addr16 s6_addr32 s_reg_t sa_handler sa_sigaction scalb setbit si_addr si_addr_lsb si_arch \
    si_band si_call_addr si_fd si_int si_lower si_overrun si_pid si_pkey si_ptr si_status si_stime \
    si_syscall si_timerid si_uid si_upper si_utime si_value sig_t sigev_notify_attributes \
    sigev_notify_function sighandler_t sigmask sigsetjmp sigval_t st_atime st_ctime st_mtime strdupa \
    strndupa timeradd timerclear timercmp timerisset timersub tm toascii_l u_char u_int u_int16_t u_int32_t \
    u_int64_t u_int8_t u_long u_quad_t u_short uint ulong unix ushort";

/// Functions and variables that only GNU's headers declare. Those of floats with a width, such as `sinf64`, are left out.
pub(super) const GNU: &str = "\
    acct adjtime aio_init arc4random arc4random_buf arc4random_uniform argp_err_exit_status argp_error \
    argp_failure argp_help argp_parse argp_program_bug_address argp_program_version argp_state_help \
    argp_usage argz_add argz_add_sep argz_append argz_count argz_create argz_create_sep argz_delete \
    argz_extract argz_insert argz_next argz_replace argz_stringify backtrace backtrace_symbols \
    backtrace_symbols_fd bcopy bindresvport bindresvport6 brk bzero canonicalize_file_name cfmakeraw \
    cfsetspeed chroot clearenv clearerr_unlocked clock_adjtime clog10 clog10f clog10l clone close_range \
    closefrom copy_file_range crypt_checksalt crypt_gensalt crypt_gensalt_r crypt_gensalt_ra \
    crypt_gensalt_rn crypt_preferred_method crypt_r crypt_ra crypt_rn cuserid daemon dladdr1 dlinfo dlmopen \
    dlvsym drand48_r drem dremf dreml dysize eaccess ecvt ecvt_r endnetgrent endrpcent endusershell envz_add \
    envz_entry envz_get envz_merge envz_remove envz_strip epoll_create epoll_create1 epoll_ctl epoll_pwait \
    epoll_pwait2 epoll_wait erand48_r err error error_at_line error_message_count error_one_per_line errx \
    euidaccess execveat execvpe explicit_bzero fallocate fcloseall fcvt fcvt_r fedisableexcept \
    feenableexcept fegetexcept feof_unlocked ferror_unlocked fflush_unlocked fgetc_unlocked fgetgrent \
    fgetgrent_r fgetpwent fgetpwent_r fgets_unlocked fgetwc_unlocked fgetws_unlocked fileno_unlocked finite \
    finitef finitel flock fopencookie fputc_unlocked fputs_unlocked fputwc_unlocked fputws_unlocked \
    fread_unlocked freeifaddrs futimes futimesat fwrite_unlocked gai_cancel gai_error gai_suspend gamma \
    gammaf gammal gcvt get_current_dir_name getaddrinfo_a getcontext getcpu getdate_r getdirentries \
    getdomainname getdtablesize getgrent_r getgrouplist gethostbyaddr_r gethostbyname2 gethostbyname2_r \
    gethostbyname_r gethostent_r getifaddrs getipv4sourcefilter getloadavg getnetbyaddr_r getnetbyname_r \
    getnetent_r getnetgrent getnetgrent_r getopt_long getopt_long_only getpagesize getpass getprotobyname_r \
    getprotobynumber_r getprotoent_r getpt getpw getpwent_r getrandom getrpcbyname getrpcbyname_r \
    getrpcbynumber getrpcbynumber_r getrpcent getrpcent_r getservbyname_r getservbyport_r getservent_r \
    getsourcefilter gettid getumask getusershell getw getwc_unlocked getwchar_unlocked getwd glob_pattern_p \
    group_member gsignal hcreate_r hdestroy_r herror hsearch_r hstrerror index inet6_opt_append \
    inet6_opt_find inet6_opt_finish inet6_opt_get_val inet6_opt_init inet6_opt_next inet6_opt_set_val \
    inet6_option_alloc inet6_option_append inet6_option_find inet6_option_init inet6_option_next \
    inet6_option_space inet6_rth_add inet6_rth_getaddr inet6_rth_init inet6_rth_reverse inet6_rth_segments \
    inet6_rth_space inet_aton inet_net_ntop inet_net_pton inet_neta inet_nsap_addr inet_nsap_ntoa initgroups \
    initstate_r innetgr ioctl iruserok iruserok_af isctype isfdtype isinff isinfl isnanf isnanl j0f j0l j1f \
    j1l jnf jnl jrand48_r lchmod lcong48_r lgamma_r lgammaf_r lgammal_r lrand48_r lutimes makecontext \
    mallinfo mallinfo2 malloc_info malloc_stats malloc_trim malloc_usable_size mallopt memalign memfd_create \
    memfrob mempcpy memrchr mincore mkostemps mkstemps mktemp mlock2 mrand48_r name_to_handle_at nrand48_r \
    obstack_printf obstack_vprintf on_exit open_by_handle_at pkey_alloc pkey_free pkey_get pkey_mprotect \
    pkey_set posix_spawn_file_actions_addchdir_np posix_spawn_file_actions_addclosefrom_np \
    posix_spawn_file_actions_addfchdir_np posix_spawn_file_actions_addtcsetpgrp_np preadv preadv2 prlimit \
    process_madvise process_mrelease process_vm_readv process_vm_writev profil pthread_attr_getaffinity_np \
    pthread_attr_getsigmask_np pthread_attr_setaffinity_np pthread_attr_setsigmask_np pthread_clockjoin_np \
    pthread_getaffinity_np pthread_getattr_default_np pthread_getname_np pthread_mutex_consistent_np \
    pthread_mutexattr_getrobust_np pthread_mutexattr_setrobust_np pthread_setaffinity_np \
    pthread_setattr_default_np pthread_setname_np pthread_sigqueue pthread_timedjoin_np pthread_tryjoin_np \
    pthread_yield ptsname_r putgrent putpwent putw putwc_unlocked putwchar_unlocked pvalloc pwritev pwritev2 \
    qecvt qecvt_r qfcvt qfcvt_r qgcvt random_r rawmemchr rcmd rcmd_af re_compile_fastmap re_compile_pattern \
    re_match re_match_2 re_search re_search_2 re_set_registers re_set_syntax re_syntax_options readahead \
    recvmmsg remap_file_pages renameat2 revoke rexec rexec_af rindex rpmatch rresvport rresvport_af ruserok \
    ruserok_af sbrk scalbf scalbl scandirat sched_getaffinity sched_getcpu sched_setaffinity seed48_r \
    semtimedop sendmmsg setbuffer setcontext setdomainname setgroups sethostid sethostname \
    setipv4sourcefilter setlinebuf setlogin setnetgrent setns setrpcent setsourcefilter setstate_r \
    settimeofday setusershell sigabbrev_np sigandset sigblock sigdescr_np siggetmask sigisemptyset \
    significand significandf significandl sigorset sigreturn sigsetmask sigstack sincosf sincosl splice \
    srand48_r srandom_r ssignal statx strcasestr strchrnul strerrordesc_np strerrorname_np strfry strptime_l \
    strsep strtod_l strtof_l strtol_l strtold_l strtoll_l strtoq strtoul_l strtoull_l strtouq strverscmp \
    swapcontext sync_file_range syncfs syscall sysv_signal tdestroy tee tgkill timelocal tmpnam_r ttyslot \
    twalk_r ualarm unshare usleep valloc verr verrx versionsort vfork vhangup vmsplice vsyslog vwarn vwarnx \
    wait3 wait4 warn warnx wcschrnul wcsftime_l wcstod_l wcstof_l wcstol_l wcstold_l wcstoll_l wcstoq \
    wcstoul_l wcstoull_l wcstouq wmempcpy y0f y0l y1f y1l ynf ynl";
