/* A ring of bytes, as firmware and protocol libraries have it: one writer, one reader, no allocation. */
#include <stddef.h>
#include <stdint.h>

#define RING_OK 0
#define RING_EINVAL (-1)
#define RING_EFULL (-2)
#define RING_EEMPTY (-3)

#define RING_SIZE 16u

struct ring {
    uint8_t data[RING_SIZE];
    size_t head;   /* where the next byte is written */
    size_t count;  /* how many bytes are there */
};

int ring_init(struct ring *r)
{
    if (r == NULL)
        return RING_EINVAL;
    r->head = 0;
    r->count = 0;
    return RING_OK;
}

int ring_put(struct ring *r, uint8_t byte)
{
    if (r == NULL)
        return RING_EINVAL;
    if (r->count == RING_SIZE)
        return RING_EFULL;
    r->data[r->head] = byte;
    r->head = (r->head + 1) % RING_SIZE;
    r->count++;
    return RING_OK;
}

/* Trusts nobody: a ring from outside may hold anything. */
int ring_check(const struct ring *r)
{
    return r != NULL && r->head < RING_SIZE && r->count <= RING_SIZE;
}

int ring_put_checked(struct ring *r, uint8_t byte)
{
    if (!ring_check(r))
        return RING_EINVAL;
    return ring_put(r, byte);
}

int ring_get(struct ring *r, uint8_t *byte)
{
    if (!ring_check(r) || byte == NULL)
        return RING_EINVAL;
    if (r->count == 0)
        return RING_EEMPTY;
    *byte = r->data[(r->head + RING_SIZE - r->count) % RING_SIZE];
    r->count--;
    return RING_OK;
}
