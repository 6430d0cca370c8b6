//# call reach_error: TRUE
// A parser of a nested text.
extern void reach_error(void);
typedef unsigned long size_t;
extern void *malloc(size_t);
enum kind { NUL, TRUTH, NUMBER, STRING, LIST, MAP };
struct value {
  enum kind kind;
  long number;
  char text[16];
  struct value *child, *next;
  char key[16];
};
static const char *at;
static int bad;
static void blanks(void) {
  while (*at == ' ' || *at == '\n' || *at == '\t') at++;
}
static void text(char *out) {
  int n = 0;
  if (*at != '"') {
    bad = 1;
    return;
  }
  at++;
  while (*at && *at != '"') {
    char c = *at++;
    if (c == '\\') {
      c = *at++;
      if (c == 'n') c = '\n';
    }
    if (n < 15) out[n++] = c;
  }
  out[n] = 0;
  if (*at) at++;
  else bad = 1;
}
static struct value *parse(void);
static struct value *make(enum kind kind) {
  struct value *v = malloc(sizeof *v);
  v->kind = kind;
  v->number = 0;
  v->text[0] = 0;
  v->key[0] = 0;
  v->child = v->next = 0;
  return v;
}
static struct value *items(enum kind kind, char end) {
  struct value *v = make(kind), **tail = &v->child;
  at++;
  blanks();
  if (*at == end) {
    at++;
    return v;
  }
  for (;;) {
    char key[16];
    key[0] = 0;
    blanks();
    if (kind == MAP) {
      text(key);
      blanks();
      if (*at != ':') bad = 1;
      at++;
    }
    struct value *item = parse();
    for (int i = 0; i < 16; i++) {
      item->key[i] = key[i];
      if (!key[i]) break;
    }
    *tail = item;
    tail = &item->next;
    blanks();
    if (*at == ',') {
      at++;
      continue;
    }
    if (*at == end) at++;
    else bad = 1;
    return v;
  }
}
static struct value *parse(void) {
  blanks();
  if (*at == '{') return items(MAP, '}');
  if (*at == '[') return items(LIST, ']');
  if (*at == '"') {
    struct value *v = make(STRING);
    text(v->text);
    return v;
  }
  if (*at == 't') {
    at += 4;
    struct value *v = make(TRUTH);
    v->number = 1;
    return v;
  }
  if (*at == 'n') {
    at += 4;
    return make(NUL);
  }
  int negative = *at == '-';
  if (negative) at++;
  struct value *v = make(NUMBER);
  while (*at >= '0' && *at <= '9') v->number = v->number * 10 + (*at++ - '0');
  if (negative) v->number = -v->number;
  return v;
}
static struct value *get(struct value *map, const char *key) {
  for (struct value *v = map->child; v; v = v->next) {
    int i = 0;
    while (key[i] && key[i] == v->key[i]) i++;
    if (key[i] == v->key[i]) return v;
  } return 0;
}
int main(void) {
  at = "{ \"name\": \"probe\\n\", \"list\": [1, -22, 333, []], \"deep\": {\"a\": {\"b\": true}}, \"none\": null }";
  struct value *v = parse();
  if (bad || *at) reach_error();
  if (get(v, "list")->child->next->number != -22) reach_error();
  if (get(get(get(v, "deep"), "a"), "b")->number != 1) reach_error();
  if (get(v, "name")->text[5] != '\n') reach_error();
  if (get(v, "nope")) reach_error();
  return 0;
}
