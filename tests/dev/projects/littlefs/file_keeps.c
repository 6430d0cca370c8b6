#include "ram_device.h"

int main(void)
{
    static uint8_t cache[16];
    struct lfs_file_config with = { .buffer = cache };
    lfs_t lfs;
    lfs_file_t file;
    uint8_t in[2], out[2];
    any_bytes(in, sizeof in);
    lfs_rambd_create(&config, &geometry);
    assert(lfs_format(&lfs, &config) == 0);
    assert(lfs_mount(&lfs, &config) == 0);
    assert(lfs_file_opencfg(&lfs, &file, "a", LFS_O_RDWR | LFS_O_CREAT, &with) == 0);
    assert(lfs_file_write(&lfs, &file, in, sizeof in) == 2);
    assert(lfs_file_close(&lfs, &file) == 0);
    assert(lfs_file_opencfg(&lfs, &file, "a", LFS_O_RDONLY, &with) == 0);
    assert(lfs_file_read(&lfs, &file, out, sizeof out) == 2);
    assert(out[0] == in[0] && out[1] == in[1]);
    return 0;
}
