#include "ram_device.h"

int main(void)
{
    static uint8_t out[64];
    lfs_off_t off = __VERIFIER_nondet_uint();
    lfs_size_t size = any_below(sizeof out + 1);
    /* The device has to refuse what is not inside of a block; this is about what it accepts. */
    __VERIFIER_assume(off + size <= geometry.erase_size);
    lfs_rambd_create(&config, &geometry);
    lfs_rambd_read(&config, any_below(BLOCKS), off, out, size);
    return 0;
}
