// One execution tells that this holds; that the loop has two phases shows why. Here it fails.
//# label ERROR: FALSE
int main(void)
{
    unsigned int low = 0, high = 400000;
    while (low < 800000) {
        if (low > 400000) {
            high++;
        }
        low++;
    }
    if (high != low) {
        ERROR: return 1;
    }
    return 0;
}
