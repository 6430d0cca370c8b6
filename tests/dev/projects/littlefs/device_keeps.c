#include "ram_device.h"

int main(void)
{
    uint8_t in[4], out[4];
    lfs_block_t block = any_below(BLOCKS);
    lfs_off_t off = any_below(BLOCK - 3), at = any_below(4);
    any_bytes(in, sizeof in);
    lfs_rambd_create(&config, &geometry);
    lfs_rambd_prog(&config, block, off, in, sizeof in);
    lfs_rambd_erase(&config, block);
    lfs_rambd_read(&config, block, off, out, sizeof out);
    assert(out[at] == in[at]);
    return 0;
}
