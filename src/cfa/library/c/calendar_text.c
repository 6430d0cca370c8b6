/* time.h: times as texts, in the C locale (ISO C11, 7.27.3.1 and 7.27.3.5). What depends on the time zone, and what GNU adds, is any text. */

size_t __provident_any_strftime(void);
char __provident_any_time_text(void);

static const char *const library_days[7] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
static const char *const library_months[12] = {"January", "February", "March",     "April",   "May",      "June",
                                               "July",    "August",   "September", "October", "November", "December"};

/* Where characters go: `at` of them so far; of those beyond `room` nothing is kept. */
struct library_time_text {
    char *to;
    size_t room, at;
    int known;
};

static void library_time_put(struct library_time_text *text, const char *part, size_t most) {
    for (; *part && most; part++, most--) {
        if (text->at < text->room)
            text->to[text->at] = *part;
        text->at++;
    }
}

/* A number of at least so many digits, with zeros or blanks before it. */
static void library_time_number(struct library_time_text *text, long long value, int digits, char before) {
    char number[24];
    int at = 23;
    unsigned long long left = value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value;
    number[23] = 0;
    do {
        number[--at] = (char)('0' + left % 10);
        left /= 10;
    } while (left);
    for (digits -= value < 0; 23 - at < digits;)
        number[--at] = before;
    if (value < 0)
        number[--at] = '-';
    library_time_put(text, number + at, 24);
}

static int library_leap(long long year) {
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/* The week of ISO 8601 and, through `year`, the year that it belongs to. */
static int library_week(const struct tm *of, long long *year) {
    int from_monday = (of->tm_wday + 6) % 7, days = of->tm_yday - from_monday + 3, length;
    *year = (long long)of->tm_year + 1900;
    if (days < 0) {
        *year -= 1;
        days += 365 + library_leap(*year);
    } else {
        length = 365 + library_leap(*year);
        if (days >= length) {
            *year += 1;
            days -= length;
        }
    }
    return days / 7 + 1;
}

static void library_time_format(struct library_time_text *text, const char *format, const struct tm *of);

static void library_time_field(struct library_time_text *text, char field, const struct tm *of) {
    long long year = (long long)of->tm_year + 1900;
    int week, hour = of->tm_hour % 12 == 0 ? 12 : of->tm_hour % 12;
    switch (field) {
    case 'a':
    case 'A':
        library_time_put(text, of->tm_wday < 0 || of->tm_wday > 6 ? "?" : library_days[of->tm_wday], field == 'a' ? 3 : 9);
        break;
    case 'b':
    case 'h':
    case 'B':
        library_time_put(text, of->tm_mon < 0 || of->tm_mon > 11 ? "?" : library_months[of->tm_mon], field == 'B' ? 9 : 3);
        break;
    case 'c':
        library_time_format(text, "%a %b %e %H:%M:%S %Y", of);
        break;
    case 'C':
        library_time_number(text, year / 100 - (year % 100 < 0), 2, '0');
        break;
    case 'd':
        library_time_number(text, of->tm_mday, 2, '0');
        break;
    case 'D':
    case 'x':
        library_time_format(text, "%m/%d/%y", of);
        break;
    case 'e':
        library_time_number(text, of->tm_mday, 2, ' ');
        break;
    case 'F':
        library_time_format(text, "%Y-%m-%d", of);
        break;
    case 'g':
        library_week(of, &year);
        library_time_number(text, (year % 100 + 100) % 100, 2, '0');
        break;
    case 'G':
        library_week(of, &year);
        library_time_number(text, year, 1, '0');
        break;
    case 'H':
        library_time_number(text, of->tm_hour, 2, '0');
        break;
    case 'I':
        library_time_number(text, hour, 2, '0');
        break;
    case 'j':
        library_time_number(text, of->tm_yday + 1LL, 3, '0');
        break;
    case 'm':
        library_time_number(text, of->tm_mon + 1LL, 2, '0');
        break;
    case 'M':
        library_time_number(text, of->tm_min, 2, '0');
        break;
    case 'n':
        library_time_put(text, "\n", 1);
        break;
    case 'p':
        library_time_put(text, of->tm_hour > 11 ? "PM" : "AM", 2);
        break;
    case 'r':
        library_time_format(text, "%I:%M:%S %p", of);
        break;
    case 'R':
        library_time_format(text, "%H:%M", of);
        break;
    case 'S':
        library_time_number(text, of->tm_sec, 2, '0');
        break;
    case 't':
        library_time_put(text, "\t", 1);
        break;
    case 'T':
    case 'X':
        library_time_format(text, "%H:%M:%S", of);
        break;
    case 'u':
        library_time_number(text, of->tm_wday == 0 ? 7 : of->tm_wday, 1, '0');
        break;
    case 'U':
        library_time_number(text, (of->tm_yday - of->tm_wday + 7) / 7, 2, '0');
        break;
    case 'V':
        week = library_week(of, &year);
        library_time_number(text, week, 2, '0');
        break;
    case 'w':
        library_time_number(text, of->tm_wday, 1, '0');
        break;
    case 'W':
        library_time_number(text, (of->tm_yday - (of->tm_wday + 6) % 7 + 7) / 7, 2, '0');
        break;
    case 'y':
        library_time_number(text, (year % 100 + 100) % 100, 2, '0');
        break;
    case 'Y':
        library_time_number(text, year, 1, '0');
        break;
    case '%':
        library_time_put(text, "%", 1);
        break;
    default:
        text->known = 0;
    }
}

static void library_time_format(struct library_time_text *text, const char *format, const struct tm *of) {
    for (; *format && text->known; format++) {
        if (*format != '%') {
            library_time_put(text, format, 1);
            continue;
        }
        format++;
        if (*format == 'E' || *format == 'O')
            format++;
        if (!*format) {
            text->known = 0;
            return;
        }
        library_time_field(text, *format, of);
    }
}

/* Writes a time as a format says; how many characters that are, or 0 if they do not fit. */
size_t strftime(char *to, size_t room, const char *format, const struct tm *of) {
    struct library_time_text text;
    size_t length, i;
    text.to = to;
    text.room = room;
    text.at = 0;
    text.known = 1;
    library_time_format(&text, format, of);
    if (!text.known) {
        length = __provident_any_strftime();
        __VERIFIER_assume(room == 0 ? length == 0 : length < room);
        for (i = 0; i < room; i++)
            to[i] = __provident_any_time_text();
        return length;
    }
    if (text.at >= room)
        return 0;
    to[text.at] = 0;
    return text.at;
}

/* As `Thu Jan  1 00:00:00 1970`, with the end of a line. */
char *asctime_r(const struct tm *of, char *to) {
    return strftime(to, 26, "%a %b %e %H:%M:%S %Y\n", of) ? to : 0;
}

char *asctime(const struct tm *of) {
    static char text[26];
    return asctime_r(of, text);
}
