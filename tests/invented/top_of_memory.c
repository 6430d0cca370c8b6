// A member before the start of the address space is read: no object lies there.
//# UNKNOWN:
extern void reach_error(void);

struct list {
  struct list *next;
};
struct device {
  int state[100];
  struct list entry;
};

int main(void) {
  struct list *none = 0;
  struct device *device = (struct device *)((char *)none - __builtin_offsetof(struct device, entry));
  if (device->state[3] == 5)
    reach_error();
  return 0;
}
