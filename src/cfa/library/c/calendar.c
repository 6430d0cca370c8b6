/* time.h: the calendar (ISO C11, 7.27.3), on the program's own struct tm. Times of the day are those of UTC; for local times that is an assumption. Members behind those
   of ISO C are glibc's, or have any value. */

int __provident_any_calendar(void);
char __provident_any_zone(void);
void __provident_trust_the_time_zone_is_UTC(void);

/* Days from 1 March of year 0 to 1 January 1970. */
enum { library_days_to_1970 = 719468 };

/* What glibc has behind the members of ISO C: the distance from UTC in seconds, and the name of the zone. */
static void library_put_zone(struct tm *to, const char *zone) {
    const size_t offset = (9 * sizeof(int) + sizeof(long) - 1) / sizeof(long) * sizeof(long);
    size_t i;
    if (sizeof *to == offset + 2 * sizeof(long)) {
        *(long *)((char *)to + offset) = 0;
        *(const char **)((char *)to + offset + sizeof(long)) = zone;
        return;
    }
    for (i = 9 * sizeof(int); i < sizeof *to; i++)
        ((char *)to)[i] = __provident_any_zone();
}

/* The broken-down time of seconds since 1970; 0 if its year does not fit (Hinnant, *chrono-compatible low-level date algorithms*). */
static int library_break_down(long long seconds, struct tm *to, const char *zone) {
    long long days = seconds / 86400, era, year;
    int left = (int)(seconds % 86400), of_era, year_of_era, of_year, month, leap;
    if (left < 0) {
        left += 86400;
        days--;
    }
    to->tm_hour = left / 3600;
    to->tm_min = left / 60 % 60;
    to->tm_sec = left % 60;
    to->tm_wday = (int)(((days + 4) % 7 + 7) % 7);
    days += library_days_to_1970;
    era = days / 146097 - (days % 146097 < 0);
    of_era = (int)(days - era * 146097);
    year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    month = (5 * of_year + 2) / 153;
    year = year_of_era + era * 400 + (month >= 10);
    leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    if (year - 1900 != (int)(year - 1900))
        return 0;
    to->tm_mday = of_year - (153 * month + 2) / 5 + 1;
    to->tm_mon = month < 10 ? month + 2 : month - 10;
    to->tm_year = (int)(year - 1900);
    to->tm_yday = month < 10 ? of_year + 59 + leap : of_year - 306;
    to->tm_isdst = 0;
    library_put_zone(to, zone);
    return 1;
}

/* The seconds since 1970 of a broken-down time whose members may be out of their ranges. */
static long long library_seconds_of(const struct tm *of) {
    long long year = (long long)of->tm_year + 1900 + of->tm_mon / 12, era, days;
    int month = of->tm_mon % 12, year_of_era;
    if (month < 0) {
        month += 12;
        year--;
    }
    if (month < 2)
        year--;
    era = year / 400 - (year % 400 < 0);
    year_of_era = (int)(year - era * 400);
    days = era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 - library_days_to_1970;
    days += (153 * (month < 2 ? month + 10 : month - 2) + 2) / 5 + of->tm_mday - 1LL;
    return ((days * 24 + of->tm_hour) * 60 + of->tm_min) * 60 + of->tm_sec;
}

/* Breaks down a time; null with errno if the year does not fit. */
static struct tm *library_time_in(const long *time, struct tm *to, const char *zone) {
    if (library_break_down(*time, to, zone))
        return to;
    *__errno_location() = 75;
    return 0;
}

struct tm *gmtime_r(const long *time, struct tm *to) {
    return library_time_in(time, to, "GMT");
}

/* The same in an object that the next call overwrites, and that of `localtime`. */
static struct tm library_broken_down;

struct tm *gmtime(const long *time) {
    return gmtime_r(time, &library_broken_down);
}

struct tm *localtime_r(const long *time, struct tm *to) {
    __provident_trust_the_time_zone_is_UTC();
    return library_time_in(time, to, "UTC");
}

struct tm *localtime(const long *time) {
    return localtime_r(time, &library_broken_down);
}

/* The seconds since 1970; puts all members into their ranges. */
static long library_time_of(struct tm *of, const char *zone) {
    long long seconds = library_seconds_of(of);
    if (seconds != (long)seconds || !library_break_down(seconds, of, zone)) {
        *__errno_location() = 75;
        return -1;
    }
    return (long)seconds;
}

long timegm(struct tm *of) {
    return library_time_of(of, "GMT");
}

/* The same for local time. There is no other time in summer. */
long mktime(struct tm *of) {
    __provident_trust_the_time_zone_is_UTC();
    if (of->tm_isdst > 0)
        return __provident_any_calendar();
    return library_time_of(of, "UTC");
}
