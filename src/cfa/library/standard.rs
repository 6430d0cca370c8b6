//! The names of the C and POSIX library.
//!
//! The result of a function that a program declares and does not define is an input, unless the function belongs to the library. The
//! names are those of C23 (ISO/IEC 9899:2024, clause 7) and POSIX.1-2024 (IEEE Std 1003.1, the headers volume), by header, with the functions that
//! macros of these headers call in glibc, and the GNU and BSD functions that glibc declares in the same headers. A name of C stands where C has it,
//! not a second time where POSIX has it.
//!
//! The decorations that compilers and glibc put around a name are taken off before the name is looked up: `__strcpy_chk`, `__isoc99_sscanf`, `__strdup`,
//! `fputs_unlocked`.

use provident_smt::hash::FxHashSet;
use std::sync::LazyLock;

/// The headers, each with its functions, separated by blanks.
const HEADERS: &[(&str, &str)] = &[
    (
        "aio.h",
        "aio_cancel aio_error aio_fsync aio_read aio_return aio_suspend aio_write lio_listio",
    ),
    (
        "arpa/inet.h",
        "htonl htons inet_addr inet_aton inet_ntoa inet_ntop inet_pton ntohl ntohs",
    ),
    (
        "assert.h",
        "__assert __assert_fail __assert_func __assert_perror_fail __assert_rtn assert",
    ),
    (
        "complex.h",
        "cabs cabsf cabsl cacos cacosf cacosh cacoshf cacoshl cacosl carg cargf cargl casin casinf casinh casinhf casinhl casinl catan \
         catanf catanh catanhf catanhl catanl ccos ccosf ccosh ccoshf ccoshl ccosl cexp cexpf cexpl cimag cimagf cimagl clog clogf \
         clogl conj conjf conjl cpow cpowf cpowl cproj cprojf cprojl creal crealf creall csin csinf csinh csinhf csinhl csinl csqrt \
         csqrtf csqrtl ctan ctanf ctanh ctanhf ctanhl ctanl",
    ),
    (
        "ctype.h",
        "isalnum isalnum_l isalpha isalpha_l isascii isblank isblank_l iscntrl iscntrl_l isdigit isdigit_l isgraph isgraph_l islower \
         islower_l isprint isprint_l ispunct ispunct_l isspace isspace_l isupper isupper_l isxdigit isxdigit_l toascii tolower \
         tolower_l toupper toupper_l _tolower _toupper __ctype_b_loc __ctype_get_mb_cur_max __ctype_tolower_loc __ctype_toupper_loc",
    ),
    ("devctl.h", "posix_devctl"),
    (
        "dirent.h",
        "alphasort closedir dirfd fdopendir opendir posix_getdents readdir readdir_r rewinddir scandir seekdir telldir",
    ),
    ("dlfcn.h", "dladdr dlclose dlerror dlopen dlsym"),
    (
        "endian.h",
        "be16toh be32toh be64toh htobe16 htobe32 htobe64 htole16 htole32 htole64 le16toh le32toh le64toh",
    ),
    ("err.h", "err errx verr verrx vwarn vwarnx warn warnx"),
    ("errno.h", "__errno_location"),
    ("error.h", "error error_at_line"),
    ("fcntl.h", "creat fcntl open openat posix_fadvise posix_fallocate"),
    (
        "fenv.h",
        "fe_dec_getround fe_dec_setround feclearexcept fedisableexcept feenableexcept fegetenv fegetexcept fegetexceptflag fegetmode \
         fegetround feholdexcept feraiseexcept fesetenv fesetexcept fesetexceptflag fesetmode fesetround fetestexcept fetestexceptflag \
         feupdateenv",
    ),
    ("fmtmsg.h", "fmtmsg"),
    ("fnmatch.h", "fnmatch"),
    ("ftw.h", "ftw nftw"),
    ("getopt.h", "getopt_long getopt_long_only"),
    ("glob.h", "glob globfree"),
    (
        "grp.h",
        "endgrent getgrent getgrgid getgrgid_r getgrnam getgrnam_r setgrent",
    ),
    ("iconv.h", "iconv iconv_close iconv_open"),
    ("inttypes.h", "imaxabs imaxdiv strtoimax strtoumax wcstoimax wcstoumax"),
    ("langinfo.h", "nl_langinfo nl_langinfo_l"),
    ("libgen.h", "basename dirname"),
    (
        "libintl.h",
        "bindtextdomain dcgettext dcngettext dgettext dngettext gettext ngettext textdomain",
    ),
    (
        "locale.h",
        "duplocale freelocale getlocalename_l localeconv newlocale setlocale uselocale",
    ),
    (
        "malloc.h",
        "cfree mallinfo mallinfo2 malloc_stats malloc_trim malloc_usable_size mallopt memalign pvalloc valloc",
    ),
    (
        "math.h",
        "__fpclassify __fpclassifyf __fpclassifyl __isinf __isinff __isinfl __isnan __isnanf __isnanl __finite __finitef __finitel \
         __signbit __signbitf __signbitl __issignaling acos acosf acosh acoshf acoshl acosl acospi acospif acospil asin asinf asinh \
         asinhf asinhl asinl asinpi asinpif asinpil atan atan2 atan2f atan2l atan2pi atan2pif atan2pil atanf atanh atanhf atanhl atanl \
         atanpi atanpif atanpil canonicalize canonicalizef canonicalizel cbrt cbrtf cbrtl ceil ceilf ceill compoundn compoundnf \
         compoundnl copysign copysignf copysignl cos cosf cosh coshf coshl cosl cospi cospif cospil daddl ddivl dfmal dmull drem dremf \
         dreml dsqrtl dsubl erf erfc erfcf erfcl erff erfl exp exp10 exp10f exp10l exp10m1 exp10m1f exp10m1l exp2 exp2f exp2l exp2m1 \
         exp2m1f exp2m1l expf expl expm1 expm1f expm1l fabs fabsf fabsl fadd faddl fdim fdimf fdiml fdiv fdivl ffma ffmal finite \
         finitef finitel floor floorf floorl fma fmaf fmal fmax fmaxf fmaximum fmaximum_mag fmaximum_mag_num fmaximum_mag_numf \
         fmaximum_mag_numl fmaximum_magf fmaximum_magl fmaximum_num fmaximum_numf fmaximum_numl fmaximumf fmaximuml fmaxl fmin fminf \
         fminimum fminimum_mag fminimum_mag_num fminimum_mag_numf fminimum_mag_numl fminimum_magf fminimum_magl fminimum_num \
         fminimum_numf fminimum_numl fminimumf fminimuml fminl fmod fmodf fmodl fmul fmull fpclassify frexp frexpf frexpl fromfp \
         fromfpf fromfpl fromfpx fromfpxf fromfpxl fsqrt fsqrtl fsub fsubl gamma gammaf gammal getpayload getpayloadf getpayloadl hypot \
         hypotf hypotl ilogb ilogbf ilogbl iscanonical isfinite isgreater isgreaterequal isinf isinff isinfl isless islessequal \
         islessgreater isnan isnanf isnanl isnormal issignaling issubnormal isunordered iszero j0 j0f j0l j1 j1f j1l jn jnf jnl ldexp \
         ldexpf ldexpl lgamma lgamma_r lgammaf lgammaf_r lgammal lgammal_r llogb llogbf llogbl llrint llrintf llrintl llround llroundf \
         llroundl log log10 log10f log10l log10p1 log10p1f log10p1l log1p log1pf log1pl log2 log2f log2l log2p1 log2p1f log2p1l logb \
         logbf logbl logf logl logp1 logp1f logp1l lrint lrintf lrintl lround lroundf lroundl modf modff modfl nan nanf nanl nearbyint \
         nearbyintf nearbyintl nextafter nextafterf nextafterl nextdown nextdownf nextdownl nexttoward nexttowardf nexttowardl nextup \
         nextupf nextupl pow pow10 powf powl pown pownf pownl powr powrf powrl remainder remainderf remainderl remquo remquof remquol \
         rint rintf rintl rootn rootnf rootnl round roundeven roundevenf roundevenl roundf roundl rsqrt rsqrtf rsqrtl scalb scalbf \
         scalbl scalbln scalblnf scalblnl scalbn scalbnf scalbnl setpayload setpayloadf setpayloadl setpayloadsig setpayloadsigf \
         setpayloadsigl signbit significand significandf significandl sin sincos sincosf sincosl sinf sinh sinhf sinhl sinl sinpi sinpif \
         sinpil sqrt sqrtf sqrtl tan tanf tanh tanhf tanhl tanl tanpi tanpif tanpil tgamma tgammaf tgammal totalorder totalorderf \
         totalorderl totalordermag totalordermagf totalordermagl trunc truncf truncl ufromfp ufromfpf ufromfpl ufromfpx ufromfpxf \
         ufromfpxl y0 y0f y0l y1 y1f y1l yn ynf ynl",
    ),
    ("monetary.h", "strfmon strfmon_l"),
    (
        "mqueue.h",
        "mq_close mq_getattr mq_notify mq_open mq_receive mq_send mq_setattr mq_timedreceive mq_timedsend mq_unlink",
    ),
    (
        "ndbm.h",
        "dbm_clearerr dbm_close dbm_delete dbm_error dbm_fetch dbm_firstkey dbm_nextkey dbm_open dbm_store",
    ),
    (
        "net/if.h",
        "if_freenameindex if_indextoname if_nameindex if_nametoindex",
    ),
    (
        "netdb.h",
        "endhostent endnetent endprotoent endservent freeaddrinfo gai_strerror getaddrinfo gethostbyaddr gethostbyname gethostent \
         getnameinfo getnetbyaddr getnetbyname getnetent getprotobyname getprotobynumber getprotoent getservbyname getservbyport \
         getservent sethostent setnetent setprotoent setservent",
    ),
    ("nl_types.h", "catclose catgets catopen"),
    ("poll.h", "poll ppoll"),
    (
        "pthread.h",
        "pthread_atfork pthread_attr_destroy pthread_attr_getdetachstate pthread_attr_getguardsize pthread_attr_getinheritsched \
         pthread_attr_getschedparam pthread_attr_getschedpolicy pthread_attr_getscope pthread_attr_getstack \
         pthread_attr_getstacksize pthread_attr_init pthread_attr_setdetachstate pthread_attr_setguardsize \
         pthread_attr_setinheritsched pthread_attr_setschedparam pthread_attr_setschedpolicy pthread_attr_setscope \
         pthread_attr_setstack pthread_attr_setstacksize pthread_barrier_destroy pthread_barrier_init pthread_barrier_wait \
         pthread_barrierattr_destroy pthread_barrierattr_getpshared pthread_barrierattr_init pthread_barrierattr_setpshared \
         pthread_cancel pthread_cleanup_pop pthread_cleanup_push pthread_cond_broadcast pthread_cond_clockwait pthread_cond_destroy \
         pthread_cond_init pthread_cond_signal pthread_cond_timedwait pthread_cond_wait pthread_condattr_destroy \
         pthread_condattr_getclock pthread_condattr_getpshared pthread_condattr_init pthread_condattr_setclock \
         pthread_condattr_setpshared pthread_create pthread_detach pthread_equal pthread_exit pthread_getcpuclockid \
         pthread_getschedparam pthread_getspecific pthread_join pthread_key_create pthread_key_delete pthread_mutex_clocklock \
         pthread_mutex_consistent pthread_mutex_destroy pthread_mutex_getprioceiling pthread_mutex_init pthread_mutex_lock \
         pthread_mutex_setprioceiling pthread_mutex_timedlock pthread_mutex_trylock pthread_mutex_unlock pthread_mutexattr_destroy \
         pthread_mutexattr_getprioceiling pthread_mutexattr_getprotocol pthread_mutexattr_getpshared pthread_mutexattr_getrobust \
         pthread_mutexattr_gettype pthread_mutexattr_init pthread_mutexattr_setprioceiling pthread_mutexattr_setprotocol \
         pthread_mutexattr_setpshared pthread_mutexattr_setrobust pthread_mutexattr_settype pthread_once pthread_rwlock_clockrdlock \
         pthread_rwlock_clockwrlock pthread_rwlock_destroy pthread_rwlock_init pthread_rwlock_rdlock pthread_rwlock_timedrdlock \
         pthread_rwlock_timedwrlock pthread_rwlock_tryrdlock pthread_rwlock_trywrlock pthread_rwlock_unlock pthread_rwlock_wrlock \
         pthread_rwlockattr_destroy pthread_rwlockattr_getpshared pthread_rwlockattr_init pthread_rwlockattr_setpshared pthread_self \
         pthread_setcancelstate pthread_setcanceltype pthread_setschedparam pthread_setschedprio pthread_setspecific \
         pthread_spin_destroy pthread_spin_init pthread_spin_lock pthread_spin_trylock pthread_spin_unlock pthread_testcancel \
         pthread_yield",
    ),
    (
        "pwd.h",
        "endpwent getpwent getpwnam getpwnam_r getpwuid getpwuid_r setpwent",
    ),
    ("regex.h", "regcomp regerror regexec regfree"),
    (
        "sched.h",
        "sched_get_priority_max sched_get_priority_min sched_getaffinity sched_getparam sched_getscheduler sched_rr_get_interval \
         sched_setaffinity sched_setparam sched_setscheduler sched_yield",
    ),
    (
        "search.h",
        "hcreate hdestroy hsearch insque lfind lsearch remque tdelete tdestroy tfind tsearch twalk",
    ),
    (
        "semaphore.h",
        "sem_clockwait sem_close sem_destroy sem_getvalue sem_init sem_open sem_post sem_timedwait sem_trywait sem_unlink sem_wait",
    ),
    (
        "setjmp.h",
        "_longjmp _setjmp __sigsetjmp longjmp setjmp siglongjmp sigsetjmp",
    ),
    (
        "signal.h",
        "kill killpg psiginfo psignal pthread_kill pthread_sigmask raise sig2str sigaction sigaddset sigaltstack sigdelset sigemptyset \
         sigfillset sighold sigignore siginterrupt sigismember signal sigpause sigpending sigprocmask sigqueue sigrelse sigset \
         sigsuspend sigtimedwait sigwait sigwaitinfo str2sig",
    ),
    (
        "spawn.h",
        "posix_spawn posix_spawn_file_actions_addchdir posix_spawn_file_actions_addclose posix_spawn_file_actions_adddup2 \
         posix_spawn_file_actions_addfchdir posix_spawn_file_actions_addopen posix_spawn_file_actions_destroy \
         posix_spawn_file_actions_init posix_spawnattr_destroy posix_spawnattr_getflags posix_spawnattr_getpgroup \
         posix_spawnattr_getschedparam posix_spawnattr_getschedpolicy posix_spawnattr_getsigdefault posix_spawnattr_getsigmask \
         posix_spawnattr_init posix_spawnattr_setflags posix_spawnattr_setpgroup posix_spawnattr_setschedparam \
         posix_spawnattr_setschedpolicy posix_spawnattr_setsigdefault posix_spawnattr_setsigmask posix_spawnp",
    ),
    (
        "stdatomic.h",
        "atomic_compare_exchange_strong atomic_compare_exchange_strong_explicit atomic_compare_exchange_weak \
         atomic_compare_exchange_weak_explicit atomic_exchange atomic_exchange_explicit atomic_fetch_add atomic_fetch_add_explicit \
         atomic_fetch_and atomic_fetch_and_explicit atomic_fetch_or atomic_fetch_or_explicit atomic_fetch_sub \
         atomic_fetch_sub_explicit atomic_fetch_xor atomic_fetch_xor_explicit atomic_flag_clear atomic_flag_clear_explicit \
         atomic_flag_test_and_set atomic_flag_test_and_set_explicit atomic_init atomic_is_lock_free atomic_load \
         atomic_load_explicit atomic_signal_fence atomic_store atomic_store_explicit atomic_thread_fence",
    ),
    (
        "stdbit.h",
        "stdc_bit_ceil_uc stdc_bit_ceil_ui stdc_bit_ceil_ul stdc_bit_ceil_ull stdc_bit_ceil_us stdc_bit_floor_uc stdc_bit_floor_ui \
         stdc_bit_floor_ul stdc_bit_floor_ull stdc_bit_floor_us stdc_bit_width_uc stdc_bit_width_ui stdc_bit_width_ul \
         stdc_bit_width_ull stdc_bit_width_us stdc_count_ones_uc stdc_count_ones_ui stdc_count_ones_ul stdc_count_ones_ull \
         stdc_count_ones_us stdc_count_zeros_uc stdc_count_zeros_ui stdc_count_zeros_ul stdc_count_zeros_ull stdc_count_zeros_us \
         stdc_first_leading_one_uc stdc_first_leading_one_ui stdc_first_leading_one_ul stdc_first_leading_one_ull \
         stdc_first_leading_one_us stdc_first_leading_zero_uc stdc_first_leading_zero_ui stdc_first_leading_zero_ul \
         stdc_first_leading_zero_ull stdc_first_leading_zero_us stdc_first_trailing_one_uc stdc_first_trailing_one_ui \
         stdc_first_trailing_one_ul stdc_first_trailing_one_ull stdc_first_trailing_one_us stdc_first_trailing_zero_uc \
         stdc_first_trailing_zero_ui stdc_first_trailing_zero_ul stdc_first_trailing_zero_ull stdc_first_trailing_zero_us \
         stdc_has_single_bit_uc stdc_has_single_bit_ui stdc_has_single_bit_ul stdc_has_single_bit_ull stdc_has_single_bit_us \
         stdc_leading_ones_uc stdc_leading_ones_ui stdc_leading_ones_ul stdc_leading_ones_ull stdc_leading_ones_us \
         stdc_leading_zeros_uc stdc_leading_zeros_ui stdc_leading_zeros_ul stdc_leading_zeros_ull stdc_leading_zeros_us \
         stdc_trailing_ones_uc stdc_trailing_ones_ui stdc_trailing_ones_ul stdc_trailing_ones_ull stdc_trailing_ones_us \
         stdc_trailing_zeros_uc stdc_trailing_zeros_ui stdc_trailing_zeros_ul stdc_trailing_zeros_ull stdc_trailing_zeros_us",
    ),
    (
        "stdio.h",
        "_IO_getc _IO_putc __fpending __overflow __uflow asprintf clearerr ctermid dprintf fclose fdopen feof ferror fflush fgetc fgetln \
         fgetpos fgets fileno flockfile fmemopen fopen fopencookie fprintf fputc fputs fread freopen fscanf fseek fseeko fsetpos ftell \
         ftello ftrylockfile funlockfile fwrite getc getchar getdelim getline gets getw open_memstream pclose perror popen printf putc \
         putchar puts putw remove rename renameat rewind scanf setbuf setbuffer setlinebuf setvbuf snprintf sprintf sscanf tempnam \
         tmpfile tmpnam ungetc vasprintf vdprintf vfprintf vfscanf vprintf vscanf vsnprintf vsprintf vsscanf",
    ),
    (
        "stdlib.h",
        "_Exit __ctype_get_mb_cur_max a64l abort abs aligned_alloc alloca arc4random arc4random_buf arc4random_uniform at_quick_exit atexit \
         atof atoi atol atoll bsearch calloc canonicalize_file_name clearenv div drand48 ecvt ecvt_r erand48 exit fcvt fcvt_r free \
         free_aligned_sized free_sized gcvt getenv getloadavg getprogname getsubopt grantpt initstate initstate_r jrand48 l64a labs \
         lcong48 ldiv llabs lldiv lrand48 malloc mblen mbstowcs mbtowc memalignment mkdtemp mkostemp mkstemp mkstemps mktemp mrand48 \
         nrand48 on_exit posix_memalign posix_openpt ptsname ptsname_r putenv qsort qsort_r quick_exit rand rand_r random random_r \
         realloc reallocarray reallocf realpath secure_getenv seed48 setenv setkey setprogname setstate setstate_r srand srand48 \
         srandom srandom_r strfromd strfromf strfroml strtod strtof strtol strtold strtoll strtoq strtoul strtoull strtouq strtonum \
         system uabs ulabs ullabs umaxabs unlockpt unsetenv wcstombs wctomb",
    ),
    (
        "string.h",
        "explicit_bzero ffs ffsl ffsll memccpy memchr memcmp memcpy memfrob memmem memmove mempcpy memrchr memset memset_explicit rawmemchr \
         sigabbrev_np sigdescr_np stpcpy stpncpy strcasestr strcat strchr strchrnul strcmp strcoll strcoll_l strcpy strcspn strdup \
         strerror strerror_l strerror_r strerrordesc_np strerrorname_np strfry strlcat strlcpy strlen strncat strncmp strncpy strndup \
         strnlen strpbrk strrchr strsep strsignal strspn strstr strtok strtok_r strverscmp strxfrm strxfrm_l",
    ),
    (
        "strings.h",
        "bcmp bcopy bzero index rindex strcasecmp strcasecmp_l strncasecmp strncasecmp_l",
    ),
    ("stropts.h", "ioctl"),
    (
        "sys/epoll.h",
        "epoll_create epoll_create1 epoll_ctl epoll_pwait epoll_wait eventfd eventfd_read eventfd_write",
    ),
    (
        "sys/ipc.h",
        "ftok msgctl msgget msgrcv msgsnd semctl semget semop semtimedop shmat shmctl shmdt shmget",
    ),
    (
        "sys/mman.h",
        "madvise mincore mlock mlockall mmap mprotect mremap msync munlock munlockall munmap posix_madvise posix_mem_offset \
         posix_typed_mem_get_info posix_typed_mem_open shm_open shm_unlink",
    ),
    (
        "sys/resource.h",
        "getpriority getrlimit getrusage prlimit setpriority setrlimit",
    ),
    ("sys/select.h", "pselect select __fdelt_chk"),
    (
        "sys/socket.h",
        "accept accept4 bind connect getpeername getsockname getsockopt isfdtype listen recv recvfrom recvmmsg recvmsg send sendmmsg \
         sendmsg sendto setsockopt shutdown sockatmark socket socketpair",
    ),
    (
        "sys/stat.h",
        "__fxstat __fxstatat __lxstat __mknod __xmknod __xstat chmod fchmod fchmodat fstat fstatat futimens lchmod lstat mkdir mkdirat \
         mkfifo mkfifoat mknod mknodat stat statx umask utimensat",
    ),
    ("sys/statvfs.h", "fstatfs fstatvfs statfs statvfs"),
    (
        "sys/time.h",
        "adjtime futimes getitimer gettimeofday lutimes setitimer settimeofday utime utimes",
    ),
    ("sys/times.h", "times"),
    (
        "sys/uio.h",
        "preadv process_vm_readv process_vm_writev pwritev readv writev",
    ),
    ("sys/utsname.h", "uname"),
    ("sys/wait.h", "wait wait3 wait4 waitid waitpid"),
    ("syslog.h", "closelog openlog setlogmask syslog vsyslog"),
    (
        "termios.h",
        "cfgetispeed cfgetospeed cfmakeraw cfsetispeed cfsetospeed cfsetspeed tcdrain tcflow tcflush tcgetattr tcgetsid tcgetwinsize \
         tcsendbreak tcsetattr tcsetwinsize",
    ),
    (
        "threads.h",
        "call_once cnd_broadcast cnd_destroy cnd_init cnd_signal cnd_timedwait cnd_wait mtx_destroy mtx_init mtx_lock mtx_timedlock \
         mtx_trylock mtx_unlock thrd_create thrd_current thrd_detach thrd_equal thrd_exit thrd_join thrd_sleep thrd_yield tss_create \
         tss_delete tss_get tss_set",
    ),
    (
        "time.h",
        "asctime asctime_r clock clock_getcpuclockid clock_getres clock_gettime clock_nanosleep clock_settime ctime ctime_r difftime \
         getdate getdate_r gmtime gmtime_r localtime localtime_r mktime nanosleep stime strftime strftime_l strptime time timegm \
         timelocal timer_create timer_delete timer_getoverrun timer_gettime timer_settime timespec_get timespec_getres tzset",
    ),
    ("uchar.h", "c16rtomb c32rtomb c8rtomb mbrtoc16 mbrtoc32 mbrtoc8"),
    (
        "unistd.h",
        "_Fork _exit access acct alarm brk chdir chown chroot close closefrom confstr copy_file_range crypt daemon dup dup2 dup3 \
         eaccess encrypt endusershell euidaccess execl execle execlp execv execve execvp execvpe faccessat fchdir fchown fchownat \
         fdatasync fexecve fork fpathconf fsync ftruncate get_current_dir_name getcwd getdomainname getdtablesize getegid getentropy \
         geteuid getgid getgroups gethostid gethostname getlogin getlogin_r getopt getpagesize getpass getpgid getpgrp getpid getppid \
         getrandom getresgid getresuid getsid gettid getuid getusershell getwd isatty lchown link linkat lockf lseek lseek64 nice \
         pathconf pause pipe pipe2 posix_close pread pwrite read readlink readlinkat rmdir sbrk setdomainname setegid seteuid setgid \
         setgroups sethostid sethostname setpgid setpgrp setregid setresgid setresuid setreuid setsid setuid sleep swab symlink \
         symlinkat sync sync_file_range syncfs syscall sysconf tcgetpgrp tcsetpgrp truncate ttyname ttyname_r ualarm unlink unlinkat \
         usleep vfork vhangup write",
    ),
    (
        "wchar.h",
        "btowc fgetwc fgetws fputwc fputws fwide fwprintf fwscanf getwc getwchar mbrlen mbrtowc mbsinit mbsnrtowcs mbsrtowcs \
         open_wmemstream putwc putwchar swprintf swscanf ungetwc vfwprintf vfwscanf vswprintf vswscanf vwprintf vwscanf wcpcpy wcpncpy \
         wcrtomb wcscasecmp wcscasecmp_l wcscat wcschr wcschrnul wcscmp wcscoll wcscoll_l wcscpy wcscspn wcsdup wcsftime wcslcat \
         wcslcpy wcslen wcsncasecmp wcsncasecmp_l wcsncat wcsncmp wcsncpy wcsnlen wcsnrtombs wcspbrk wcsrchr wcsrtombs wcsspn wcsstr \
         wcstod wcstof wcstok wcstol wcstold wcstoll wcstoul wcstoull wcswidth wcsxfrm wcsxfrm_l wctob wcwidth wmemchr wmemcmp \
         wmemcpy wmemmove wmempcpy wmemset wprintf wscanf",
    ),
    (
        "wctype.h",
        "iswalnum iswalnum_l iswalpha iswalpha_l iswblank iswblank_l iswcntrl iswcntrl_l iswctype iswctype_l iswdigit iswdigit_l iswgraph \
         iswgraph_l iswlower iswlower_l iswprint iswprint_l iswpunct iswpunct_l iswspace iswspace_l iswupper iswupper_l iswxdigit \
         iswxdigit_l towctrans towctrans_l towlower towlower_l towupper towupper_l wctrans wctrans_l wctype wctype_l",
    ),
    ("wordexp.h", "wordexp wordfree"),
];

/// Whether a function is one of the C or POSIX library.
pub fn is_standard(name: &str) -> bool {
    static NAMES: LazyLock<FxHashSet<&'static str>> = LazyLock::new(|| {
        HEADERS
            .iter()
            .flat_map(|(_, functions)| functions.split_whitespace())
            .collect()
    });
    let known = |name: &str| NAMES.contains(name);
    if known(name) || name.strip_suffix("_unlocked").is_some_and(known) || name.strip_suffix("64").is_some_and(known) {
        return true;
    }
    let Some(inner) = name.strip_prefix("__") else {
        return false;
    };
    let isoc = inner.strip_prefix("isoc99_").or_else(|| inner.strip_prefix("isoc23_"));
    let xpg = inner.strip_prefix("xpg_");
    known(inner) || [inner.strip_suffix("_chk"), isoc, xpg].into_iter().flatten().any(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_function_stands_twice_in_a_header() {
        let names: Vec<&str> = HEADERS.iter().map(|header| header.0).collect();
        assert!(names.is_sorted_by(|a, b| a < b), "the headers are sorted");
        for (header, functions) in HEADERS {
            let mut seen = FxHashSet::default();
            for name in functions.split_whitespace() {
                assert!(seen.insert(name), "{name} stands twice in {header}");
            }
        }
    }

    #[test]
    fn decorations_are_taken_off() {
        for name in [
            "strlen",
            "__strcpy_chk",
            "__isoc99_sscanf",
            "__strdup",
            "fputs_unlocked",
            "fopen64",
            "__xpg_strerror_r",
        ] {
            assert!(is_standard(name), "{name}");
        }
        for name in [
            "strlength",
            "__VERIFIER_nondet_int",
            "kmalloc",
            "reach_error",
            "__",
            "_chk",
            "printk",
            "my64",
        ] {
            assert!(!is_standard(name), "{name}");
        }
    }
}
