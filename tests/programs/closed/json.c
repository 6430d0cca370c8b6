//# holds: !strcmp(printed, "{\"name\":\"Jack \\\"B\\\"\",\"list\":[1,-2,30,[],{\"x\":true}],\"none\":null,\"deep\":{\"a\":{\"b\":false}},\"u\":\"\303\244\342\202\254\360\235\204\236\"}") && sum == 29 && live == 0
//# violated: live != 0
// A parser for JSON by recursive descent, in the manner of cJSON: nodes from malloc by hooks, lists of siblings, UTF-16 escapes, a printer whose buffer grows.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>
extern void reach_error(void);
enum { J_FALSE, J_TRUE, J_NULL, J_NUMBER, J_STRING, J_ARRAY, J_OBJECT };
typedef struct json { struct json *next, *prev, *child; int type; char *valuestring; int valueint; double valuedouble; char *string; } json;
typedef struct { void *(*allocate)(size_t); void (*release)(void *); } hooks;
static int live;
static void *counted(size_t n) { live++; return malloc(n); }
static void uncounted(void *p) { if (p) live--; free(p); }
static hooks memory = { malloc, free };

static json *node(void)
{
    json *n = memory.allocate(sizeof(json));
    if (n) memset(n, 0, sizeof(json));
    return n;
}
static void delete(json *item)
{
    while (item) {
        json *next = item->next;
        if (item->child) delete(item->child);
        if (item->valuestring) memory.release(item->valuestring);
        if (item->string) memory.release(item->string);
        memory.release(item);
        item = next;
    }
}
static const char *skip(const char *in) { while (in && *in && (unsigned char) *in <= 32) in++; return in; }
static unsigned hex4(const char *s)
{
    unsigned h = 0;
    for (int i = 0; i < 4; i++) {
        h <<= 4;
        if (isdigit((unsigned char) s[i])) h += (unsigned) (s[i] - '0');
        else if (isxdigit((unsigned char) s[i])) h += (unsigned) (10 + tolower((unsigned char) s[i]) - 'a');
        else return 0;
    }
    return h;
}
static const char *parse_string(char **to, const char *str)
{
    static const unsigned char first[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
    const char *ptr = str + 1;
    int len = 0;
    if (*str != '"') return 0;
    while (*ptr != '"' && *ptr && ++len) if (*ptr++ == '\\') ptr++;
    char *out = memory.allocate((size_t) len + 1);
    if (!out) return 0;
    *to = out;
    for (ptr = str + 1; *ptr != '"' && *ptr;) {
        if (*ptr != '\\') { *out++ = *ptr++; continue; }
        ptr++;
        switch (*ptr) {
        case 'b': *out++ = '\b'; break;
        case 'n': *out++ = '\n'; break;
        case 't': *out++ = '\t'; break;
        case 'u': {
            unsigned uc = hex4(ptr + 1);
            ptr += 4;
            if (uc >= 0xd800 && uc <= 0xdbff) {
                if (ptr[1] != '\\' || ptr[2] != 'u') return 0;
                unsigned uc2 = hex4(ptr + 3);
                ptr += 6;
                uc = 0x10000 + ((uc & 0x3ff) << 10 | (uc2 & 0x3ff));
            }
            int n = uc < 0x80 ? 1 : uc < 0x800 ? 2 : uc < 0x10000 ? 3 : 4;
            out += n;
            switch (n) {
            case 4: *--out = (char) ((uc | 0x80) & 0xbf); uc >>= 6; /* fall through */
            case 3: *--out = (char) ((uc | 0x80) & 0xbf); uc >>= 6; /* fall through */
            case 2: *--out = (char) ((uc | 0x80) & 0xbf); uc >>= 6; /* fall through */
            case 1: *--out = (char) (uc | first[n]);
            }
            out += n;
            break;
        }
        default: *out++ = *ptr; break;
        }
        ptr++;
    }
    *out = 0;
    return *ptr == '"' ? ptr + 1 : ptr;
}
static const char *parse_number(json *item, const char *num)
{
    char *end;
    item->valuedouble = strtol(num, &end, 10);
    item->valueint = (int) item->valuedouble;
    item->type = J_NUMBER;
    return end == num ? 0 : end;
}
static const char *parse_value(json *item, const char *value);
static const char *parse_list(json *item, const char *value, int named)
{
    char closing = named ? '}' : ']';
    json *last = 0;
    item->type = named ? J_OBJECT : J_ARRAY;
    value = skip(value + 1);
    if (*value == closing) return value + 1;
    for (;;) {
        json *child = node();
        if (!child) return 0;
        if (!last) item->child = child;
        else last->next = child, child->prev = last;
        last = child;
        if (named) {
            value = skip(parse_string(&child->string, skip(value)));
            if (!value || *value != ':') return 0;
            value++;
        }
        value = skip(parse_value(child, skip(value)));
        if (!value) return 0;
        if (*value != ',') break;
        value++;
    }
    return *value == closing ? value + 1 : 0;
}
static const char *parse_value(json *item, const char *value)
{
    if (!value) return 0;
    if (!strncmp(value, "null", 4)) { item->type = J_NULL; return value + 4; }
    if (!strncmp(value, "false", 5)) { item->type = J_FALSE; return value + 5; }
    if (!strncmp(value, "true", 4)) { item->type = J_TRUE; item->valueint = 1; return value + 4; }
    if (*value == '"') { item->type = J_STRING; return parse_string(&item->valuestring, value); }
    if (*value == '-' || isdigit((unsigned char) *value)) return parse_number(item, value);
    if (*value == '[') return parse_list(item, value, 0);
    if (*value == '{') return parse_list(item, value, 1);
    return 0;
}

static char *buffer;
static size_t used, capacity;
static void put(const char *text)
{
    size_t n = strlen(text);
    if (used + n + 1 > capacity) {
        size_t more = (used + n + 1) * 2;
        char *bigger = memory.allocate(more);
        if (buffer) {
            memcpy(bigger, buffer, used);
            memory.release(buffer);
        }
        buffer = bigger;
        capacity = more;
    }
    strcpy(buffer + used, text);
    used += n;
}
static void put_string(const char *s)
{
    char small[8];
    put("\"");
    for (; *s; s++) {
        if (*s == '"' || *s == '\\') sprintf(small, "\\%c", *s);
        else if ((unsigned char) *s < 32) sprintf(small, "\\u%04x", *s);
        else small[0] = *s, small[1] = 0;
        put(small);
    }
    put("\"");
}
static void print(const json *item)
{
    char small[21];
    switch (item->type) {
    case J_NULL: put("null"); break;
    case J_FALSE: put("false"); break;
    case J_TRUE: put("true"); break;
    case J_NUMBER: sprintf(small, "%d", item->valueint); put(small); break;
    case J_STRING: put_string(item->valuestring); break;
    default:
        put(item->type == J_ARRAY ? "[" : "{");
        for (json *c = item->child; c; c = c->next) {
            if (item->type == J_OBJECT) put_string(c->string), put(":");
            print(c);
            if (c->next) put(",");
        }
        put(item->type == J_ARRAY ? "]" : "}");
    }
}
static json *get(json *object, const char *name)
{
    json *c = object->child;
    while (c && strcmp(c->string, name)) c = c->next;
    return c;
}

int main(void)
{
    memory.allocate = counted;
    memory.release = uncounted;
    json *root = node();
    const char *end = parse_value(root, "{ \"name\": \"Jack \\\"B\\\"\", \"list\": [1, -2, 30, [ ], {\"x\" : true}],\n \"none\": null,"
                                        " \"deep\": {\"a\": {\"b\": false}}, \"u\" : \"\\u00e4\\u20ac\\ud834\\udd1e\" }");
    int sum = 0;
    if (!end || *end) sum = -1000;
    for (json *c = get(root, "list")->child; c; c = c->next)
        if (c->type == J_NUMBER) sum += c->valueint;
    print(root);
    char printed[256];
    strcpy(printed, buffer);
    delete(root);
    memory.release(buffer);
    if (!(CLAIM)) reach_error();
    return 0;
}
